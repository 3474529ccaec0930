{{/* Prefix of the names of resources. Leaves room for the longest component. */}}
{{- define "trifold.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := printf "%s-%s" .Release.Name $name -}}
{{- if .Values.fullnameOverride -}}
{{- $full = .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- $full = .Release.Name -}}
{{- end -}}
{{- /* Names of Services cannot contain dots. */ -}}
{{- $full | replace "." "-" | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Selector of a component's pods: (dict "root" $ "component" "gateway"). Must never change: selectors are immutable. */}}
{{- define "trifold.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/*
Labels of pods. They do not contain the version of the chart, because a new one would then restart every pod. The bundled
stores do not have Trifold's version.
*/}}
{{- define "trifold.podLabels" -}}
{{ include "trifold.selectorLabels" . }}
{{- if not (has .component (list "redis" "minio")) }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}
app.kubernetes.io/part-of: trifold
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Labels of every resource: (dict "root" $ "component" "gateway"). */}}
{{- define "trifold.labels" -}}
{{ include "trifold.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: trifold
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Name, namespace and labels of a component's resource: (dict "root" $ "component" "gateway" "name" … "namespace" …). */}}
{{- define "trifold.metadata" -}}
name: {{ default (printf "%s-%s" (include "trifold.fullname" .root) .component) .name }}
namespace: {{ default .root.Release.Namespace .namespace }}
labels:
  {{- include "trifold.labels" . | nindent 2 }}
{{- end -}}

{{/* Reference of one of Trifold's images: (dict "root" $ "image" .Values.gateway.image). */}}
{{- define "trifold.ownImage" -}}
{{- $missing := "image.registry is empty: set it to where you pushed Trifold's images, since none are published (docs/run/install.md says how to build them)" -}}
{{- $registry := required $missing (coalesce .image.registry .root.Values.image.registry .root.Values.global.imageRegistry) -}}
{{- $tag := default (default .root.Chart.AppVersion .root.Values.image.tag) .image.tag -}}
{{- include "trifold.imageReference" (merge (dict "registry" $registry "tag" $tag) .image) -}}
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
