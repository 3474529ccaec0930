{{/* Prefix for resource names. Leaves room for the longest component. */}}
{{- define "trifold.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := printf "%s-%s" .Release.Name $name -}}
{{- if .Values.fullnameOverride -}}
{{- $full = .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- $full = .Release.Name -}}
{{- end -}}
{{- include "trifold.dnsLabel" (dict "name" $full "max" 40) -}}
{{- end -}}

{{/* Prefix for the names of cluster-scoped resources. */}}
{{- define "trifold.clusterName" -}}
{{- include "trifold.dnsLabel" (dict "name" (printf "%s-%s" .Release.Namespace (include "trifold.fullname" .)) "max" 52) -}}
{{- end -}}

{{/*
The name as a DNS label of at most `max` characters that begins with a letter, as Services require. A name that has to
change gets a hash of the original, so that different names stay different.
*/}}
{{- define "trifold.dnsLabel" -}}
{{- $label := .name | replace "." "-" -}}
{{- if regexMatch "^[0-9]" $label -}}
{{- $label = printf "r-%s" $label -}}
{{- end -}}
{{- if or (ne $label .name) (gt (len $label) (int .max)) -}}
{{- $label = printf "%s-%s" ($label | trunc (int (sub .max 9)) | trimAll "-") (.name | sha256sum | trunc 8) -}}
{{- end -}}
{{- $label -}}
{{- end -}}

{{/* Selector of a component's pods: (dict "root" $ "component" "gateway"). Must never change: selectors are immutable. */}}
{{- define "trifold.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimAll "-." | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/*
Labels of pods. They do not contain the chart's version, because a new version would then restart every pod. The bundled
stores do not have Trifold's version. (dict "root" $ "component" "gateway" "values" .Values.gateway)
*/}}
{{- define "trifold.podLabels" -}}
{{- $ours := dict "app.kubernetes.io/part-of" "trifold" "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- if not (has .component (list "redis" "minio")) -}}
{{- $_ := set $ours "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- end -}}
{{- $selector := include "trifold.selectorLabels" . | fromYaml -}}
{{- include "trifold.mergedMaps" (list $ours .root.Values.commonLabels (default dict .values).podLabels $selector) -}}
{{- end -}}

{{/* Labels of every resource: (dict "root" $ "component" "gateway" "labels" dict). */}}
{{- define "trifold.labels" -}}
{{- $chart := printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- $ours := dict "app.kubernetes.io/version" .root.Chart.AppVersion "app.kubernetes.io/part-of" "trifold" "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" $chart -}}
{{- $selector := include "trifold.selectorLabels" . | fromYaml -}}
{{- include "trifold.mergedMaps" (list $ours .root.Values.commonLabels $selector .labels) -}}
{{- end -}}

{{/* Maps as YAML, merged by key; later ones win. A null in a later one removes the key. */}}
{{- define "trifold.mergedMaps" -}}
{{- $merged := dict -}}
{{- range $map := . -}}
{{- range $key, $value := $map -}}
{{- if kindIs "invalid" $value -}}
{{- $merged = omit $merged $key -}}
{{- else -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end -}}

{{/* A map as name=value, separated by commas. */}}
{{- define "trifold.pairs" -}}
{{- $pairs := list -}}
{{- range $name, $value := . -}}
{{- $pairs = append $pairs (printf "%s=%s" $name $value) -}}
{{- end -}}
{{- join "," $pairs -}}
{{- end -}}

{{/*
Lists as YAML: (dict "ours" list "extra" list "key" "name" "value" "gateway.extraVolumes"). Fails if two entries have the
same key, or, with "replace", lets `extra` replace the entries of `ours`.
*/}}
{{- define "trifold.mergedLists" -}}
{{- $given := dict -}}
{{- range .extra -}}
{{- $key := get . $.key | clean -}}
{{- if hasKey $given $key -}}
{{- fail (printf "%s has two entries with the %s %s: remove one" $.value $.key $key) -}}
{{- end -}}
{{- $_ := set $given $key true -}}
{{- end -}}
{{- $kept := list -}}
{{- range .ours -}}
{{- $key := get . $.key -}}
{{- if not (hasKey $given $key) -}}
{{- $kept = append $kept . -}}
{{- else if not $.replace -}}
{{- fail (printf "%s: the chart uses the %s %s itself: use another one" $.value $.key $key) -}}
{{- end -}}
{{- end -}}
{{- toYaml (concat $kept (default list .extra)) -}}
{{- end -}}

{{/* Name, namespace and labels of a component's resource: (dict "root" $ "component" "gateway" "name" … "namespace" … "labels" …). */}}
{{- define "trifold.metadata" -}}
name: {{ default (printf "%s-%s" (include "trifold.fullname" .root) .component) .name | quote }}
namespace: {{ default .root.Release.Namespace .namespace | quote }}
labels:
  {{- include "trifold.labels" . | nindent 2 }}
{{- end -}}

{{/* Name of a service's service account: (dict "root" $ "component" "gateway"). */}}
{{- define "trifold.serviceAccount" -}}
{{- $name := (index .root.Values .component).serviceAccount.name -}}
{{- default (printf "%s-%s" (include "trifold.fullname" .root) .component) $name -}}
{{- end -}}

{{/* Reference to one of Trifold's images: (dict "root" $ "image" .Values.gateway.image). */}}
{{- define "trifold.ownImage" -}}
{{- $missing := "image.registry is empty: set it to where you pushed Trifold's images, since none are published (docs/run/install.md says how to build them)" -}}
{{- $registry := required $missing (coalesce .image.registry .root.Values.image.registry (default dict .root.Values.global).imageRegistry) -}}
{{- $tag := default (default .root.Chart.AppVersion .root.Values.image.tag) .image.tag -}}
{{- include "trifold.imageReference" (merge (dict "registry" $registry "tag" $tag) .image) -}}
{{- end -}}

{{/*
Reference to a bundled store's image: (dict "root" $ "image" … "registry" "docker.io"), with its usual registry.
*/}}
{{- define "trifold.storeImage" -}}
{{- $registry := coalesce .image.registry (default dict .root.Values.global).imageRegistry .registry -}}
{{- include "trifold.imageReference" (merge (dict "registry" $registry) .image) -}}
{{- end -}}

{{/* registry/repository:tag, or @digest if there is one. */}}
{{- define "trifold.imageReference" -}}
{{- if .registry }}{{ trimSuffix "/" .registry }}/{{ end -}}
{{- .repository -}}
{{- if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end -}}
{{- end -}}

{{/* A duration such as 500ms, 30s, 5m or 1h in whole seconds, rounded up. */}}
{{- define "trifold.seconds" -}}
{{- $number := regexFind "^[0-9]+" . | int64 -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- if eq $unit "ms" -}}{{ div (add $number 999) 1000 }}
{{- else if eq $unit "s" -}}{{ $number }}
{{- else if eq $unit "m" -}}{{ mul $number 60 }}
{{- else -}}{{ mul $number 3600 }}
{{- end -}}
{{- end -}}
