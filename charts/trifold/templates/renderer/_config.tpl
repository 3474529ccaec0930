{{- define "trifold.renderer.config" -}}
TRIFOLD_HOST: "::"
TRIFOLD_OPERATIONS_PORT: "9090"
{{- if .Values.previews.enabled }}
TRIFOLD_PREVIEW_PORT: "9091"
{{- end }}
TRIFOLD_BROWSER_SOCKET: {{ include "trifold.renderer.browserSocket" . | quote }}
{{ include "trifold.settings.renderer" . }}
{{ include "trifold.redis.config" . }}
{{- end -}}

{{/* The browser container's socket. */}}
{{- define "trifold.renderer.browserSocket" -}}/run/trifold-browser/browser.sock{{- end -}}

{{/* Path of the sandbox's seccomp profile, below the kubelet's directory. */}}
{{- define "trifold.renderer.seccompProfile" -}}
{{- $sandbox := .Values.renderer.sandbox -}}
{{- default (ternary "trifold/chromium.json" "" $sandbox.installProfile.enabled) $sandbox.localhostProfile -}}
{{- end -}}
