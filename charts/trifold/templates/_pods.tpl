{{/* Common part of every pod: (dict "root" $ "values" .Values.gateway). By default, it meets PodSecurity `restricted`. */}}
{{- define "trifold.podSecurity" -}}
# The variables that Kubernetes adds for Services begin with TRIFOLD_ too.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range uniq . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "trifold.mergedMaps" (list .root.Values.podSecurityContext .values.podSecurityContext) | nindent 2 }}
{{- end -}}

{{/* Security context of a container: (dict "root" $ "values" .Values.gateway "fixed" dict). */}}
{{- define "trifold.containerSecurity" -}}
{{- include "trifold.mergedMaps" (list .root.Values.securityContext (default dict .values).securityContext .fixed) -}}
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
priorityClassName: {{ . | quote }}
{{- end }}
{{- $spread := .root.Values.topologySpread }}
{{- $constraints := ternary (list (omit $spread "enabled")) list (not (empty (and .spread $spread.enabled))) }}
{{- with .values.topologySpreadConstraints | default $constraints }}
{{- $selector := dict "matchLabels" (include "trifold.selectorLabels" $ | fromYaml) }}
{{- $seen := list }}
topologySpreadConstraints:
  {{- range . }}
  {{- $pair := printf "%v and %v" .topologyKey .whenUnsatisfiable }}
  {{- if has $pair $seen }}
  {{- fail (printf "%s.topologySpreadConstraints has two entries with %s: remove one" $.component $pair) }}
  {{- end }}
  {{- $seen = append $seen $pair }}
  - {{- ternary (merge (dict "labelSelector" $selector) .) . (kindIs "invalid" .labelSelector) | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Metadata of a service's pods; they restart when `config` changes. */}}
{{- define "trifold.podMetadata" -}}
labels:
  {{- include "trifold.podLabels" . | nindent 2 }}
annotations:
  {{- include "trifold.mergedMaps" (list .values.podAnnotations (dict "checksum/config" (.config | sha256sum))) | nindent 2 }}
{{- end -}}

{{/* Environment of a service's container: ConfigMap, Secrets, extra variables. (dict "root" $ "component" … "values" … "redis" true "kubernetes" true) */}}
{{- define "trifold.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "trifold.fullname" .root }}-{{ .component }}
  {{- with .values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  {{- $ours := include "trifold.variables" . | fromYamlArray }}
  {{- include "trifold.mergedLists" (dict "ours" $ours "extra" .values.extraEnv "key" "name" "value" (printf "%s.extraEnv" .component) "replace" true) | nindent 2 }}
{{- end -}}

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
      name: {{ include "trifold.tasks.secretName" .root | quote }}
      key: {{ .root.Values.tasks.secretKey | quote }}
{{- end }}
{{- if and .root.Values.dashboard.enabled (eq .component "gateway") }}
- name: TRIFOLD_SESSION_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.session.secretName" .root | quote }}
      key: {{ .root.Values.dashboard.secretKey | quote }}
{{- if .root.Values.dashboard.oidc.issuer }}
- name: TRIFOLD_OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.dashboard.oidc.existingSecret | quote }}
      key: {{ .root.Values.dashboard.oidc.secretKey | quote }}
{{- end }}
{{- end }}
{{- if eq .component "controller" }}
- name: TRIFOLD_WEBHOOK_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.webhooks.secretName" .root | quote }}
      key: {{ .root.Values.webhooks.secretKey | quote }}
- name: TRIFOLD_WEBHOOK_PREVIOUS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.webhooks.secretName" .root | quote }}
      key: {{ .root.Values.webhooks.previousSecretKey | quote }}
      optional: true
{{- end }}
{{- if and .root.Values.previews.enabled (has .component (list "gateway" "renderer")) }}
- name: TRIFOLD_PREVIEW_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "trifold.previews.secretName" .root | quote }}
      key: {{ .root.Values.previews.secretKey | quote }}
{{- end }}
{{- if .root.Values.extraCaCertificates.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/trifold/ca/{{ .root.Values.extraCaCertificates.key }}
{{- end }}
{{- end -}}

{{/* Mounts of a service's container: (dict "root" $ "component" "gateway" "values" .Values.gateway). */}}
{{- define "trifold.mounts" -}}
{{- $ours := include "trifold.ownMounts" . | fromYamlArray -}}
{{- $names := list -}}
{{- range concat (include "trifold.ownVolumes" . | fromYamlArray) (default list .values.extraVolumes) -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- range .values.extraVolumeMounts -}}
{{- if not (has .name $names) -}}
{{- fail (printf "%s.extraVolumeMounts: there is no volume %s: add it to %s.extraVolumes" $.component .name $.component) -}}
{{- end -}}
{{- end -}}
{{- include "trifold.mergedLists" (dict "ours" $ours "extra" .values.extraVolumeMounts "key" "mountPath" "value" (printf "%s.extraVolumeMounts" .component)) -}}
{{- end -}}

{{- define "trifold.volumes" -}}
{{- $ours := include "trifold.ownVolumes" . | fromYamlArray -}}
{{- include "trifold.mergedLists" (dict "ours" $ours "extra" .values.extraVolumes "key" "name" "value" (printf "%s.extraVolumes" .component)) -}}
{{- end -}}

{{- define "trifold.ownMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.extraCaCertificates.configMap }}
- name: ca
  mountPath: /etc/trifold/ca
  readOnly: true
{{- end }}
{{- if eq .component "renderer" }}
- name: browser-socket
  mountPath: {{ include "trifold.renderer.browserSocket" .root | dir }}
  readOnly: true
{{- else }}
{{ include "trifold.webIdentity.mount" .root }}
{{- end }}
{{- end -}}

{{- define "trifold.ownVolumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .values.tmpSize }}
{{- if .root.Values.extraCaCertificates.configMap }}
- name: ca
  configMap:
    name: {{ .root.Values.extraCaCertificates.configMap | quote }}
{{- end }}
{{- if eq .component "renderer" }}
- name: browser-tmp
  emptyDir:
    sizeLimit: {{ .values.tmpSize }}
- name: browser-shm
  emptyDir:
    medium: Memory
    sizeLimit: {{ .values.shmSize }}
- name: browser-socket
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
{{- else }}
{{ include "trifold.webIdentity.volume" .root }}
{{- end }}
{{- end -}}

{{/* Grace period in seconds: (dict "component" "gateway" "values" .Values.gateway "needed" 50), at least what the process needs. */}}
{{- define "trifold.gracePeriod" -}}
{{- $given := int .values.terminationGracePeriodSeconds -}}
{{- if and $given (lt $given (int .needed)) -}}
{{- fail (printf "%s.terminationGracePeriodSeconds (%d) is less than the %d seconds that the waits in %s.config need: raise it, or shorten the waits" .component $given (int .needed) .component) -}}
{{- end -}}
{{- default .needed $given -}}
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
