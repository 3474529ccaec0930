{{/*
Whether the chart makes the account's namespace itself: it is not the release's own, and nobody else made it. A namespace
that is there already is only given the label, by the Job.
*/}}
{{- define "trifold.bootstrap.ownsNamespace" -}}
{{- $account := .Values.bootstrap.account -}}
{{- if ne $account .Release.Namespace -}}
{{- $found := lookup "v1" "Namespace" "" $account -}}
{{- $annotations := default dict (default dict (default dict $found).metadata).annotations -}}
{{- $ours := and (eq (get $annotations "meta.helm.sh/release-name") .Release.Name) (eq (get $annotations "meta.helm.sh/release-namespace") .Release.Namespace) -}}
{{- if or (not $found) $ours -}}true{{- end -}}
{{- end -}}
{{- end -}}
