{{- define "trifold.controller.config" -}}
{{- $config := .Values.controller.config -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_HOST: "0.0.0.0"
TRIFOLD_OPERATIONS_PORT: "9090"
TRIFOLD_LEASE_NAMESPACE: {{ .Release.Namespace | quote }}
TRIFOLD_LEASE_NAME: {{ include "trifold.controller.lease" . | quote }}
TRIFOLD_RENDER_DEADLINE: {{ $config.renderDeadline | quote }}
TRIFOLD_RENDER_ATTEMPTS: {{ $config.renderAttempts | int64 | quote }}
TRIFOLD_RENDER_RETRY_DELAY: {{ $config.renderRetryDelay | quote }}
TRIFOLD_PROGRESS_AFTER: {{ $config.progressAfter | quote }}
TRIFOLD_RESYNC_INTERVAL: {{ $config.resyncInterval | quote }}
TRIFOLD_TTL_SECONDS_AFTER_FINISHED: {{ $config.ttlSecondsAfterFinished | int64 | quote }}
TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: {{ $config.finishedJobsPerAccount | int64 | quote }}
TRIFOLD_FINISHED_JOBS: {{ $config.finishedJobs | int64 | quote }}
TRIFOLD_KEPT_JOBS_PER_ACCOUNT: {{ $config.keptJobsPerAccount | int64 | quote }}
TRIFOLD_USAGE_INTERVAL: {{ $config.usageInterval | quote }}
TRIFOLD_COLLECTION_INTERVAL: {{ $config.collectionInterval | quote }}
TRIFOLD_TEMPLATE_VERSIONS: {{ $config.templateVersions | int64 | quote }}
TRIFOLD_CONTROLLER_CONCURRENCY: {{ $config.concurrency | int64 | quote }}
{{ include "trifold.webhooks.outbound" . }}
TRIFOLD_WEBHOOK_RETRY_SCHEDULE: {{ .Values.webhooks.retrySchedule | quote }}
TRIFOLD_WEBHOOK_CONCURRENCY: {{ .Values.webhooks.concurrency | int64 | quote }}
TRIFOLD_WEBHOOK_ENDPOINT_CONCURRENCY: {{ .Values.webhooks.endpointConcurrency | int64 | quote }}
TRIFOLD_WEBHOOK_KEEP_DELIVERED: {{ .Values.webhooks.keepDelivered | quote }}
TRIFOLD_WEBHOOK_KEEP_FAILED: {{ .Values.webhooks.keepFailed | quote }}
{{ include "trifold.turns" . }}
{{ include "trifold.redis.config" . }}
{{ include "trifold.objectStore.config" . }}
{{- end -}}

{{/* Allowed destinations of webhooks, for the gateway that accepts URLs and the controller that sends, and their key. */}}
{{- define "trifold.webhooks.outbound" -}}
TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {{ join "," .Values.webhooks.allowAddresses | quote }}
TRIFOLD_DENY_ADDRESSES: {{ join "," .Values.denyAddresses | quote }}
TRIFOLD_WEBHOOK_ALLOW_HTTP: {{ .Values.webhooks.allowHttp | quote }}
TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: "{{ .Release.Namespace }}/{{ include "trifold.webhooks.key" . }}"
{{- end -}}

{{/* Lease of the leader. */}}
{{- define "trifold.controller.lease" -}}
{{ include "trifold.fullname" . }}-controller
{{- end -}}

{{/* Shares in the turns, for the controller and the renderers. */}}
{{- define "trifold.turns" -}}
TRIFOLD_ASYNC_TURN_EVERY: {{ .Values.turns.asyncEvery | int64 | quote }}
TRIFOLD_BATCH_TURN_EVERY: {{ .Values.turns.batchEvery | int64 | quote }}
{{- end -}}
