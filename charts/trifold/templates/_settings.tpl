{{/* Generated from platform/settings/settings.ts by `npm run generate`. */}}
{{- define "trifold.settings.gateway" -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_DENY_ADDRESSES: {{ join "," .Values.denyAddresses | quote }}
TRIFOLD_CLOSE_DELAY: {{ .Values.gateway.config.closeDelay | quote }}
TRIFOLD_MAX_BODY: {{ .Values.gateway.config.maxBody | quote }}
TRIFOLD_MAX_BATCH_BODY: {{ .Values.gateway.config.maxBatchBody | quote }}
TRIFOLD_BODY_BUDGET: {{ .Values.gateway.config.bodyBudget | default "" | quote }}
TRIFOLD_MAX_UNFINISHED_DOCUMENTS: {{ .Values.gateway.config.maxUnfinishedDocuments | int64 | quote }}
TRIFOLD_MAX_TEMPLATES: {{ .Values.gateway.config.maxTemplates | int64 | quote }}
TRIFOLD_MAX_KEYS: {{ .Values.gateway.config.maxKeys | int64 | quote }}
TRIFOLD_MAX_STORED_BYTES: {{ .Values.gateway.config.maxStoredBytes | quote }}
TRIFOLD_SYNC_WAIT: {{ .Values.gateway.config.syncWait | quote }}
TRIFOLD_DOWNLOAD_ACCESS: {{ .Values.gateway.config.downloadAccess | quote }}
TRIFOLD_RATE_LIMIT: {{ .Values.gateway.config.rateLimit | quote }}
TRIFOLD_PRICES: {{ include "trifold.pairs" .Values.gateway.config.prices | quote }}
TRIFOLD_LOG_REQUESTS: {{ .Values.gateway.config.logRequests | quote }}
TRIFOLD_KEEP_ALIVE: {{ .Values.gateway.config.keepAlive | quote }}
TRIFOLD_CLOSE_WAIT: {{ .Values.gateway.config.closeWait | quote }}
TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {{ join "," .Values.webhooks.allowAddresses | quote }}
TRIFOLD_WEBHOOK_ALLOW_HTTP: {{ .Values.webhooks.allowHttp | quote }}
{{- end -}}

{{- define "trifold.settings.controller" -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_DENY_ADDRESSES: {{ join "," .Values.denyAddresses | quote }}
TRIFOLD_RENDER_DEADLINE: {{ .Values.controller.config.renderDeadline | quote }}
TRIFOLD_RENDER_ATTEMPTS: {{ .Values.controller.config.renderAttempts | int64 | quote }}
TRIFOLD_TTL_SECONDS_AFTER_FINISHED: {{ .Values.controller.config.ttlSecondsAfterFinished | int64 | quote }}
TRIFOLD_KEEP_FAILED_DATA: {{ .Values.controller.config.keepFailedData | quote }}
TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: {{ .Values.controller.config.finishedJobsPerAccount | int64 | quote }}
TRIFOLD_FINISHED_JOBS: {{ .Values.controller.config.finishedJobs | int64 | quote }}
TRIFOLD_TEMPLATE_VERSIONS: {{ .Values.controller.config.templateVersions | int64 | quote }}
TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {{ join "," .Values.webhooks.allowAddresses | quote }}
TRIFOLD_WEBHOOK_ALLOW_HTTP: {{ .Values.webhooks.allowHttp | quote }}
TRIFOLD_WEBHOOK_RETRY_SCHEDULE: {{ .Values.webhooks.retrySchedule | quote }}
TRIFOLD_WEBHOOK_CONCURRENCY: {{ .Values.webhooks.concurrency | int64 | quote }}
TRIFOLD_WEBHOOK_KEEP_DELIVERED: {{ .Values.webhooks.keepDelivered | quote }}
TRIFOLD_WEBHOOK_KEEP_FAILED: {{ .Values.webhooks.keepFailed | quote }}
{{- end -}}

{{- define "trifold.settings.renderer" -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_DENY_ADDRESSES: {{ join "," .Values.denyAddresses | quote }}
TRIFOLD_DRAIN_WAIT: {{ .Values.renderer.config.drainWait | quote }}
TRIFOLD_BROWSERS: {{ .Values.renderer.config.browsers | int64 | quote }}
TRIFOLD_BROWSER_MEMORY: {{ .Values.renderer.config.browserMemory | quote }}
TRIFOLD_MAX_OUTPUT: {{ .Values.renderer.config.maxOutput | quote }}
TRIFOLD_TEMPLATE_SCRIPTS: {{ .Values.renderer.config.templateScripts | quote }}
TRIFOLD_RENDER_ALLOW_HOSTS: {{ join "," .Values.renderer.config.allowHosts | quote }}
TRIFOLD_RENDER_ALLOW_ADDRESSES: {{ join "," .Values.renderer.config.allowAddresses | quote }}
{{- end -}}

{{- define "trifold.settings.dashboard" -}}
TRIFOLD_OIDC_ISSUER: {{ .Values.dashboard.oidc.issuer | default "" | quote }}
TRIFOLD_OIDC_CLIENT_ID: {{ .Values.dashboard.oidc.clientId | default "" | quote }}
TRIFOLD_OIDC_SCOPES: {{ .Values.dashboard.oidc.scopes | quote }}
TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {{ .Values.dashboard.oidc.allowUnverifiedEmail | quote }}
TRIFOLD_PUBLIC_URL: {{ .Values.dashboard.oidc.publicUrl | default "" | quote }}
{{- end -}}

{{- define "trifold.settings.objectStore" -}}
TRIFOLD_S3_BUCKET: {{ .Values.objectStore.bucket | quote }}
TRIFOLD_S3_REGION: {{ .Values.objectStore.region | quote }}
{{- end -}}

{{- define "trifold.settings.redis" -}}
TRIFOLD_REDIS_PREFIX: {{ .Values.redis.prefix | quote }}
{{- end -}}
