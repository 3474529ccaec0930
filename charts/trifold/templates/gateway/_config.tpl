{{- define "trifold.gateway.config" -}}
{{- $config := .Values.gateway.config -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_HOST: "0.0.0.0"
TRIFOLD_PORT: "8080"
TRIFOLD_MAX_BODY: {{ $config.maxBody | quote }}
TRIFOLD_MAX_BATCH_BODY: {{ $config.maxBatchBody | quote }}
TRIFOLD_BODY_BUDGET: {{ $config.bodyBudget | quote }}
TRIFOLD_KEY_BODY_BUDGET: {{ $config.keyBodyBudget | quote }}
TRIFOLD_MIN_UPLOAD_RATE: {{ $config.minUploadRate | quote }}
TRIFOLD_MAX_TEMPLATE: {{ $config.maxTemplate | quote }}
TRIFOLD_MAX_LIVE_JOBS: {{ $config.maxLiveJobs | int64 | quote }}
TRIFOLD_MAX_TEMPLATES: {{ $config.maxTemplates | int64 | quote }}
TRIFOLD_MAX_KEYS: {{ $config.maxKeys | int64 | quote }}
TRIFOLD_MAX_STORED_BYTES: {{ $config.maxStoredBytes | quote }}
TRIFOLD_SYNC_WAIT: {{ $config.syncWait | quote }}
TRIFOLD_DOWNLOAD_ACCESS: {{ $config.downloadAccess | quote }}
TRIFOLD_RATE_LIMIT: {{ $config.rateLimit | quote }}
TRIFOLD_EMAIL_WORKERS: {{ $config.emailWorkers | int64 | quote }}
TRIFOLD_EMAIL_TIMEOUT: {{ $config.emailTimeout | quote }}
TRIFOLD_MAX_EMAIL: {{ $config.maxEmail | quote }}
TRIFOLD_PRICE_CURRENCY: {{ $config.prices.currency | quote }}
TRIFOLD_PRICE_PDF: {{ $config.prices.pdf | quote }}
TRIFOLD_PRICE_PNG: {{ $config.prices.png | quote }}
TRIFOLD_PRICE_HTML: {{ $config.prices.html | quote }}
TRIFOLD_PRICE_DOCX: {{ $config.prices.docx | quote }}
TRIFOLD_PRICE_EMAIL: {{ $config.prices.email | quote }}
{{ include "trifold.webhooks.outbound" . }}
TRIFOLD_LOG_REQUESTS: {{ $config.logRequests | quote }}
TRIFOLD_CLOSE_DELAY: {{ $config.closeDelay | quote }}
TRIFOLD_CLOSE_WAIT: {{ $config.closeWait | quote }}
{{- with .Values.dashboard.oidc }}
{{- if .issuer }}
TRIFOLD_OIDC_ISSUER: {{ .issuer | quote }}
TRIFOLD_OIDC_CLIENT_ID: {{ .clientId | quote }}
TRIFOLD_OIDC_SCOPES: {{ .scopes | quote }}
TRIFOLD_OIDC_GRANTS: {{ .grants | toJson | quote }}
TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {{ .allowUnverifiedEmail | quote }}
TRIFOLD_PUBLIC_URL: {{ .publicUrl | quote }}
{{- end }}
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
