{{- define "trifold.controller.config" -}}
TRIFOLD_HOST: "::"
TRIFOLD_OPERATIONS_PORT: "9090"
TRIFOLD_LEASE_NAMESPACE: {{ .Release.Namespace | quote }}
TRIFOLD_LEASE_NAME: {{ include "trifold.controller.lease" . | quote }}
{{ include "trifold.settings.controller" . }}
TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: {{ include "trifold.webhooks.keyConfigMap" . }}
{{ include "trifold.redis.config" . }}
{{ include "trifold.objectStore.config" . }}
{{- end -}}

{{/* ConfigMap with the webhooks' public key, which controllers write and gateways read. */}}
{{- define "trifold.webhooks.keyConfigMap" -}}
"{{ .Release.Namespace }}/{{ include "trifold.webhooks.key" . }}"
{{- end -}}

{{/* The leader's Lease. */}}
{{- define "trifold.controller.lease" -}}
{{ include "trifold.fullname" . }}-controller
{{- end -}}
