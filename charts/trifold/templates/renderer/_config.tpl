{{- define "trifold.renderer.config" -}}
{{- $config := .Values.renderer.config -}}
TRIFOLD_LOG_LEVEL: {{ .Values.logLevel | quote }}
TRIFOLD_HOST: "0.0.0.0"
TRIFOLD_OPERATIONS_PORT: "9090"
{{- if .Values.previews.enabled }}
TRIFOLD_PREVIEW_PORT: "9091"
{{- end }}
TRIFOLD_BROWSERS: {{ $config.browsers | int64 | quote }}
TRIFOLD_BROWSER_SOCKET: {{ include "trifold.renderer.browserSocket" . | quote }}
TRIFOLD_BROWSER_DOCUMENTS: {{ $config.browserDocuments | int64 | quote }}
TRIFOLD_BROWSER_MEMORY: {{ $config.browserMemory | quote }}
TRIFOLD_CONTEXT_IDLE: {{ $config.contextIdle | quote }}
TRIFOLD_MERGE_WORKERS: {{ $config.mergeWorkers | int64 | quote }}
TRIFOLD_MERGE_TIMEOUT: {{ $config.mergeTimeout | quote }}
TRIFOLD_MAX_MERGED: {{ $config.maxMerged | quote }}
TRIFOLD_MAX_OUTPUT: {{ $config.maxOutput | quote }}
TRIFOLD_TEMPLATE_SCRIPTS: {{ $config.templateScripts | quote }}
TRIFOLD_RENDER_ALLOW_HOSTS: {{ join "," $config.allowHosts | quote }}
TRIFOLD_RENDER_ALLOW_ADDRESSES: {{ join "," $config.allowAddresses | quote }}
TRIFOLD_DENY_ADDRESSES: {{ join "," .Values.denyAddresses | quote }}
TRIFOLD_DRAIN_WAIT: {{ $config.drainWait | quote }}
{{ include "trifold.turns" . }}
{{ include "trifold.redis.config" . }}
{{- end -}}

{{/* Socket of the container of the browsers. */}}
{{- define "trifold.renderer.browserSocket" -}}/run/trifold-browser/browser.sock{{- end -}}

{{/* Path of the seccomp profile of the sandbox, below the kubelet's directory. */}}
{{- define "trifold.renderer.seccompProfile" -}}
{{- $sandbox := .Values.renderer.sandbox -}}
{{- default (ternary "trifold/chromium.json" "" $sandbox.installProfile.enabled) $sandbox.localhostProfile -}}
{{- end -}}
