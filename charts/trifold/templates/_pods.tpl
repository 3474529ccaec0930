{{/* Common part of every pod, under PodSecurity `restricted`: (dict "root" $ "user" 10001). */}}
{{- define "trifold.podSecurity" -}}
# The variables that Kubernetes adds for Services begin with TRIFOLD_ too.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* Security context of a container: no privileges. */}}
{{- define "trifold.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Scheduling of pods: (dict "root" $ "component" "gateway" "values" .Values.gateway "spread" true). */}}
{{- define "trifold.scheduling" -}}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- $spread := .root.Values.topologySpread }}
{{- if and .spread $spread.enabled }}
topologySpreadConstraints:
  - maxSkew: {{ $spread.maxSkew }}
    topologyKey: {{ $spread.topologyKey }}
    whenUnsatisfiable: {{ $spread.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "trifold.selectorLabels" . | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Metadata of a service's pods; they restart when `config` changes. */}}
{{- define "trifold.podMetadata" -}}
labels:
  {{- include "trifold.podLabels" . | nindent 2 }}
  {{- with .values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/config: {{ .config | sha256sum }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Environment of a service's container: ConfigMap, Secrets, extraEnv. (dict "root" $ "component" … "values" … "redis" true "kubernetes" true) */}}
{{- define "trifold.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "trifold.fullname" .root }}-{{ .component }}
{{- with include "trifold.variables" . | trim }}
env:
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* May be empty. */}}
{{- define "trifold.variables" -}}
{{- if eq .component "renderer" }}
{{- include "trifold.redis.rendererCredentials" .root }}
{{- else }}
{{- include "trifold.objectStore.credentials" .root }}
{{- if .redis }}
{{ include "trifold.redis.credentials" .root }}
{{- end }}
{{- end }}
{{- if has .component (list "controller" "renderer") }}
- name: TRIFOLD_TASK_KEYS
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.tasks.secretName" .root }}
      key: {{ .root.Values.tasks.secretKey }}
{{- end }}
{{- if and .root.Values.dashboard.enabled (eq .component "gateway") }}
- name: TRIFOLD_SESSION_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.session.secretName" .root }}
      key: {{ .root.Values.dashboard.secretKey }}
{{- if .root.Values.dashboard.oidc.issuer }}
- name: TRIFOLD_OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.dashboard.oidc.existingSecret }}
      key: {{ .root.Values.dashboard.oidc.secretKey }}
{{- end }}
{{- end }}
{{- if eq .component "controller" }}
- name: TRIFOLD_WEBHOOK_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.webhooks.secretName" .root }}
      key: {{ .root.Values.webhooks.secretKey }}
- name: TRIFOLD_WEBHOOK_PREVIOUS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.webhooks.secretName" .root }}
      key: {{ .root.Values.webhooks.previousSecretKey }}
      optional: true
{{- end }}
{{- if and .root.Values.previews.enabled (has .component (list "gateway" "renderer")) }}
- name: TRIFOLD_PREVIEW_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.previews.secretName" .root }}
      key: {{ .root.Values.previews.secretKey }}
{{- end }}
{{- if .root.Values.extraCaCertificates.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/trifold/ca/{{ .root.Values.extraCaCertificates.key }}
{{- end }}
{{- with .values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Mounts and volumes of every service. */}}
{{- define "trifold.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.extraCaCertificates.configMap }}
- name: ca
  mountPath: /etc/trifold/ca
  readOnly: true
{{- end }}
{{- end -}}

{{/* (dict "root" $ "values" .Values.gateway) */}}
{{- define "trifold.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .values.tmpSize }}
{{- if .root.Values.extraCaCertificates.configMap }}
- name: ca
  configMap:
    name: {{ .root.Values.extraCaCertificates.configMap }}
{{- end }}
{{- end -}}

{{/* Probes of a service on the named port. A start takes up to two minutes (browsers, caches). */}}
{{- define "trifold.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: {{ .port }} }
  periodSeconds: 5
  # Each check of the service has a timeout of two seconds.
  timeoutSeconds: 4
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}
