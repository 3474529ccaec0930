{{/*
Whether the chart creates the account's namespace: it is not the release's namespace and did not exist before. The
Job only labels a namespace that exists.
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
