{{- define "trifold.gateway.config" -}}
{{- $config := .Values.gateway.config -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_HOST: "0.0.0.0"
TRIFOLD_PORT: "8080"
TRIFOLD_MAX_BODY: {{ $config.maxBody | quote }}
TRIFOLD_MAX_TEMPLATE: {{ $config.maxTemplate | quote }}
TRIFOLD_SYNC_WAIT: {{ $config.syncWait | quote }}
TRIFOLD_DOWNLOAD_ACCESS: {{ $config.downloadAccess | quote }}
TRIFOLD_LOG_REQUESTS: {{ $config.logRequests | quote }}
TRIFOLD_CLOSE_DELAY: {{ $config.closeDelay | quote }}
TRIFOLD_CLOSE_WAIT: {{ $config.closeWait | quote }}
{{ include "trifold.objectStore.config" . }}
{{- end -}}
