{{- define "trifold.gateway.config" -}}
TRIFOLD_HOST: "::"
TRIFOLD_PORT: "8080"
{{ include "trifold.settings.gateway" . }}
TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: {{ include "trifold.webhooks.keyConfigMap" . }}
{{- if .Values.dashboard.oidc.issuer }}
{{ include "trifold.settings.dashboard" . }}
TRIFOLD_OIDC_GRANTS: {{ .Values.dashboard.oidc.grants | toJson | quote }}
{{- end }}
{{- if .Values.previews.enabled }}
TRIFOLD_PREVIEW_RENDERERS: "{{ include "trifold.fullname" . }}-renderer:9091"
{{- end }}
{{ include "trifold.objectStore.config" . }}
{{- if include "trifold.gateway.counts" . }}
{{ include "trifold.redis.config" . }}
{{- end }}
{{- end -}}

{{/* Not empty if there is a rate limit, which gateways count in Redis. */}}
{{- define "trifold.gateway.counts" -}}
{{- if ne .Values.gateway.config.rateLimit "off" }}yes{{ end -}}
{{- end -}}
