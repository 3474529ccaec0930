{{/* Fails if values contradict each other, which a schema cannot check. */}}
{{- define "trifold.validate" -}}
{{- $redis := .Values.redis -}}
{{- if and $redis.bundled.enabled $redis.external.url -}}
{{- fail "redis.external.url is set, but redis.bundled.enabled is true: set redis.bundled.enabled to false to use your own Redis" -}}
{{- end -}}
{{- if and $redis.external.username (not $redis.external.existingSecret) -}}
{{- fail "redis.external.username is set and redis.external.existingSecret is empty: set the Secret with the password of the user, or remove the username" -}}
{{- end -}}
{{- if and $redis.external.rendererUsername (not $redis.external.existingSecret) -}}
{{- fail "redis.external.rendererUsername is set and redis.external.existingSecret is empty: set the Secret with the password of the user, or remove the username" -}}
{{- end -}}
{{- if and $redis.external.sentinelPasswordKey (not $redis.external.existingSecret) -}}
{{- fail "redis.external.sentinelPasswordKey is set and redis.external.existingSecret is empty: set the Secret with the password of the Sentinels, or remove the key" -}}
{{- end -}}
{{- if and $redis.external.sentinelUsername (not $redis.external.sentinelPasswordKey) -}}
{{- fail "redis.external.sentinelUsername is set and redis.external.sentinelPasswordKey is empty: set the key of the password in the Secret, or remove the username" -}}
{{- end -}}
{{- $store := .Values.objectStore -}}
{{- if and $store.bundled.enabled $store.external.endpoint -}}
{{- fail "objectStore.external.endpoint is set, but objectStore.bundled.enabled is true: set objectStore.bundled.enabled to false to use your own object store" -}}
{{- end -}}
{{- if and $store.external.webIdentity.enabled (include "trifold.objectStore.secretName" .) -}}
{{- fail "objectStore.external.webIdentity is enabled, but a Secret with keys takes precedence: set objectStore.bundled.enabled to false and remove objectStore.external.existingSecret" -}}
{{- end -}}
{{- range $name := list "gateway" "renderer" -}}
{{- $bounds := (index $.Values $name).autoscaling -}}
{{- if and (ne $.Values.autoscaling.mode "none") (gt (int $bounds.minReplicas) (int $bounds.maxReplicas)) -}}
{{- fail (printf "%s.autoscaling.minReplicas (%v) is more than maxReplicas (%v)" $name $bounds.minReplicas $bounds.maxReplicas) -}}
{{- end -}}
{{- end -}}
{{- $sandbox := .Values.renderer.sandbox -}}
{{- if and $sandbox.enabled (not (include "trifold.renderer.seccompProfile" .)) -}}
{{- fail "renderer.sandbox.enabled needs a seccomp profile on the nodes that allows user namespaces: set renderer.sandbox.installProfile.enabled, or set renderer.sandbox.localhostProfile to your own profile" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.enabled needs ingress.hosts: an Ingress without hosts applies to every host name" -}}
{{- end -}}
{{- $oidc := .Values.dashboard.oidc -}}
{{- if $oidc.issuer -}}
{{- if not .Values.dashboard.enabled -}}
{{- fail "dashboard.oidc.issuer needs dashboard.enabled" -}}
{{- end -}}
{{- range $name := list "clientId" "existingSecret" "grants" "publicUrl" -}}
{{- if not (get $oidc $name) -}}
{{- fail (printf "dashboard.oidc.issuer needs dashboard.oidc.%s" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $redis.bundled.enabled (eq $redis.bundled.passwordKey $redis.bundled.rendererPasswordKey) -}}
{{- fail (printf "redis.bundled.passwordKey and redis.bundled.rendererPasswordKey are both %s: use two keys" $redis.bundled.passwordKey) -}}
{{- end -}}
{{- if and $store.bundled.enabled (eq $store.bundled.accessKeyKey $store.bundled.secretKeyKey) -}}
{{- fail (printf "objectStore.bundled.accessKeyKey and objectStore.bundled.secretKeyKey are both %s: use two keys" $store.bundled.accessKeyKey) -}}
{{- end -}}
{{- $fixed := list "TRIFOLD_PORT" "TRIFOLD_OPERATIONS_PORT" "TRIFOLD_PREVIEW_PORT" "TRIFOLD_PREVIEW_RENDERERS" "TRIFOLD_BROWSER_SOCKET" "TRIFOLD_LEASE_NAME" "TRIFOLD_LEASE_NAMESPACE" "TRIFOLD_WEBHOOK_KEY_CONFIG_MAP" "TRIFOLD_CLOSE_DELAY" "TRIFOLD_CLOSE_WAIT" "TRIFOLD_DRAIN_WAIT" "TRIFOLD_RATE_LIMIT" "TRIFOLD_REDIS_URL" "TRIFOLD_REDIS_PREFIX" "TRIFOLD_S3_ENDPOINT" -}}
{{- $fullname := include "trifold.fullname" . -}}
{{- $bundled := dict "redis" $redis.bundled.enabled "minio" $store.bundled.enabled "bootstrap" .Values.bootstrap.enabled -}}
{{- $accounts := dict -}}
{{- range $name, $enabled := $bundled -}}
{{- if $enabled -}}
{{- $_ := set $accounts (printf "%s-%s" $fullname $name) true -}}
{{- end -}}
{{- end -}}
{{- range $name := list "gateway" "controller" "renderer" -}}
{{- range (index $.Values $name).extraEnv -}}
{{- if has .name $fixed -}}
{{- fail (printf "%s.extraEnv sets %s, which other parts of the chart depend on: remove it, and use the chart's value instead if there is one" $name .name) -}}
{{- end -}}
{{- end -}}
{{- $account := (index $.Values $name).serviceAccount -}}
{{- if and (not $account.create) (not $account.name) -}}
{{- fail (printf "%s.serviceAccount.create is false and %s.serviceAccount.name is empty: set the name of your service account" $name $name) -}}
{{- end -}}
{{- $accountName := include "trifold.serviceAccount" (dict "root" $ "component" $name) -}}
{{- if and $account.create (hasKey $accounts $accountName) -}}
{{- fail (printf "%s.serviceAccount.name is %s, which another pod of this release uses: give each its own, because their permissions differ" $name $accountName) -}}
{{- end -}}
{{- $_ := set $accounts $accountName true -}}
{{- end -}}
{{- range $name := list "redis" "minio" "sessions" "tasks" "previews" "webhook-key" -}}
{{- if and $.Values.bootstrap.enabled (eq $.Values.bootstrap.secretName (printf "%s-%s" $fullname $name)) -}}
{{- fail (printf "bootstrap.secretName is %s, the name of another Secret of this release: use another name" $.Values.bootstrap.secretName) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "gateway" "controller" "renderer" -}}
{{- $rollout := (index $.Values $name).rollout -}}
{{- if and (regexMatch "^0%?$" (toString $rollout.maxSurge)) (regexMatch "^0%?$" (toString $rollout.maxUnavailable)) -}}
{{- fail (printf "%s.rollout: maxSurge and maxUnavailable are both 0, so no pod can be replaced" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Rejects a second release in a cluster: each controller processes the jobs of all namespaces. Finds the other release by
its controller's ClusterRole. Empty if Helm has no cluster.
*/}}
{{- define "trifold.onlyRelease" -}}
{{- if .Values.rbac.create -}}
{{- range (default dict (lookup "rbac.authorization.k8s.io/v1" "ClusterRole" "" "")).items -}}
{{- $labels := default dict .metadata.labels -}}
{{- $rule := first (default (list dict) .rules) -}}
{{- if and (eq (default "" (get $labels "app.kubernetes.io/component")) "controller") (has "trifold.dev" (default list $rule.apiGroups)) -}}
{{- $annotations := default dict .metadata.annotations -}}
{{- $release := default (get $labels "app.kubernetes.io/instance") (get $annotations "meta.helm.sh/release-name") -}}
{{- $namespace := default $.Release.Namespace (get $annotations "meta.helm.sh/release-namespace") -}}
{{- if or (ne $release $.Release.Name) (ne $namespace $.Release.Namespace) -}}
{{- fail (printf "release %s in namespace %s is already installed in this cluster (ClusterRole %s). A controller works on the jobs of every namespace, so a cluster can have only one release: upgrade or uninstall that release" $release $namespace .metadata.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "trifold.redis.url" -}}
{{- if .Values.redis.bundled.enabled -}}
redis://{{ include "trifold.fullname" . }}-redis:6379/0
{{- else -}}
{{- required "redis.bundled.enabled is false and redis.external.url is empty: set the URL of your Redis, for example redis://redis.example:6379/0" .Values.redis.external.url -}}
{{- end -}}
{{- end -}}

{{/* The URL as YAML: kind (server, sentinel or cluster), tls, master, database, addresses (host:port). */}}
{{- define "trifold.redis.parts" -}}
{{- $parts := regexSplit "/+" (include "trifold.redis.url" .) -1 -}}
{{- $kind := regexFind "[+][a-z]+" (first $parts) | trimPrefix "+" | default "server" -}}
{{- $sentinel := eq $kind "sentinel" -}}
{{- $path := slice (concat $parts (list "" "")) 2 -}}
kind: {{ $kind }}
tls: {{ hasPrefix "rediss" (first $parts) }}
master: {{ ternary (index $path 0) "" $sentinel | quote }}
database: {{ index $path (ternary 1 0 $sentinel) | default "0" | quote }}
addresses:
  {{- range splitList "," (index $parts 1) }}
  - {{ ternary . (printf "%s:%s" . (ternary "26379" "6379" $sentinel)) (regexMatch ":[0-9]+$" .) | quote }}
  {{- end }}
{{- end -}}

{{- define "trifold.redis.secretName" -}}
{{- if .Values.redis.bundled.enabled -}}
{{- default (printf "%s-redis" (include "trifold.fullname" .)) .Values.redis.bundled.existingSecret -}}
{{- else -}}
{{- .Values.redis.external.existingSecret | default "" -}}
{{- end -}}
{{- end -}}

{{- define "trifold.redis.passwordKey" -}}
{{- if .Values.redis.bundled.enabled }}{{ .Values.redis.bundled.passwordKey }}{{ else }}{{ .Values.redis.external.passwordKey }}{{ end -}}
{{- end -}}

{{- define "trifold.redis.sentinelPasswordKey" -}}
{{- if not .Values.redis.bundled.enabled }}{{ .Values.redis.external.sentinelPasswordKey | default "" }}{{ end -}}
{{- end -}}

{{/*
Redis key for a queue's waiting tasks: (dict "root" $ "queue" "interactive"). A test
compares it with waitingTasksKey in platform/render-queue/testing/redis-contract.ts.
*/}}
{{- define "trifold.redis.waitingTasks" -}}
{{- $prefix := .root.Values.redis.prefix -}}
{{- $tagged := and (eq (include "trifold.redis.parts" .root | fromYaml).kind "cluster") (not (hasPrefix "{" $prefix)) -}}
{{ ternary (printf "{%s}" $prefix) $prefix $tagged }}:{{ .queue }}:prioritized
{{- end -}}

{{- define "trifold.redis.credentials" -}}
{{- with include "trifold.redis.secretName" . -}}
- name: TRIFOLD_REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ . | quote }}
      key: {{ include "trifold.redis.passwordKey" $ | quote }}
{{- end -}}
{{ include "trifold.redis.sentinelPassword" . }}
{{- end -}}

{{- define "trifold.redis.sentinelPassword" -}}
{{- with include "trifold.redis.sentinelPasswordKey" . }}
- name: TRIFOLD_REDIS_SENTINEL_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.redis.external.existingSecret | quote }}
      key: {{ . | quote }}
{{- end -}}
{{- end -}}

{{/* The renderers' Redis user, and the key of its password. Empty: the default user. */}}
{{- define "trifold.redis.rendererUser" -}}
{{- $external := .Values.redis.external -}}
{{- if .Values.redis.bundled.enabled }}renderer{{ else }}{{ default $external.username $external.rendererUsername | default "" }}{{ end -}}
{{- end -}}

{{- define "trifold.redis.rendererPasswordKey" -}}
{{- $external := .Values.redis.external -}}
{{- if .Values.redis.bundled.enabled -}}
{{- .Values.redis.bundled.rendererPasswordKey -}}
{{- else -}}
{{- ternary $external.rendererPasswordKey $external.passwordKey (not (empty $external.rendererUsername)) -}}
{{- end -}}
{{- end -}}

{{/* Takes precedence over the user in trifold.redis.config. */}}
{{- define "trifold.redis.rendererCredentials" -}}
{{- with include "trifold.redis.rendererUser" . -}}
- name: TRIFOLD_REDIS_USERNAME
  value: {{ . | quote }}
{{ end -}}
{{- with include "trifold.redis.secretName" . -}}
- name: TRIFOLD_REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ . | quote }}
      key: {{ include "trifold.redis.rendererPasswordKey" $ | quote }}
{{- end -}}
{{ include "trifold.redis.sentinelPassword" . }}
{{- end -}}

{{- define "trifold.redis.config" -}}
TRIFOLD_REDIS_URL: {{ include "trifold.redis.url" . | quote }}
{{ include "trifold.settings.redis" . }}
{{- if and (not .Values.redis.bundled.enabled) .Values.redis.external.username }}
TRIFOLD_REDIS_USERNAME: {{ .Values.redis.external.username | quote }}
{{- end }}
{{- if and (not .Values.redis.bundled.enabled) .Values.redis.external.sentinelUsername }}
TRIFOLD_REDIS_SENTINEL_USERNAME: {{ .Values.redis.external.sentinelUsername | quote }}
{{- end }}
{{- end -}}

{{- define "trifold.objectStore.endpoint" -}}
{{- if .Values.objectStore.bundled.enabled -}}
http://{{ include "trifold.fullname" . }}-minio:9000
{{- else -}}
{{- required "objectStore.bundled.enabled is false and objectStore.external.endpoint is empty: set the URL of your object store, for example https://s3.example" .Values.objectStore.external.endpoint -}}
{{- end -}}
{{- end -}}

{{/* Port of an HTTP URL. */}}
{{- define "trifold.port" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- end -}}

{{- define "trifold.objectStore.port" -}}
{{- include "trifold.port" (include "trifold.objectStore.endpoint" .) -}}
{{- end -}}

{{- define "trifold.objectStore.secretName" -}}
{{- if .Values.objectStore.bundled.enabled -}}
{{- default (printf "%s-minio" (include "trifold.fullname" .)) .Values.objectStore.bundled.existingSecret -}}
{{- else -}}
{{- .Values.objectStore.external.existingSecret | default "" -}}
{{- end -}}
{{- end -}}

{{/* Empty without a Secret: the services then use the workload identity of their service accounts. */}}
{{- define "trifold.objectStore.credentials" -}}
{{- with include "trifold.objectStore.secretName" . -}}
{{- $keys := ternary $.Values.objectStore.bundled $.Values.objectStore.external $.Values.objectStore.bundled.enabled -}}
- name: TRIFOLD_S3_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ . | quote }}
      key: {{ $keys.accessKeyKey | quote }}
- name: TRIFOLD_S3_SECRET_KEY
  valueFrom:
    secretKeyRef:
      name: {{ . | quote }}
      key: {{ $keys.secretKeyKey | quote }}
{{- end -}}
{{- end -}}

{{- define "trifold.objectStore.config" -}}
TRIFOLD_S3_ENDPOINT: {{ include "trifold.objectStore.endpoint" . | quote }}
{{ include "trifold.settings.objectStore" . }}
{{- with .Values.objectStore.external.webIdentity }}
{{- if .enabled }}
AWS_WEB_IDENTITY_TOKEN_FILE: /etc/trifold/web-identity/token
AWS_ROLE_ARN: {{ .roleArn | quote }}
AWS_ENDPOINT_URL_STS: {{ .stsEndpoint | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Mount and volume of the token in AWS_WEB_IDENTITY_TOKEN_FILE, for gateway and controller. May be empty. */}}
{{- define "trifold.webIdentity.mount" -}}
{{- if .Values.objectStore.external.webIdentity.enabled -}}
- name: web-identity
  mountPath: /etc/trifold/web-identity
  readOnly: true
{{- end -}}
{{- end -}}

{{- define "trifold.webIdentity.volume" -}}
{{- if .Values.objectStore.external.webIdentity.enabled -}}
- name: web-identity
  projected:
    sources:
      - serviceAccountToken:
          path: token
          audience: {{ .Values.objectStore.external.webIdentity.audience | quote }}
          # Replaced after four fifths of this time, before the services renew credentials that end with the token.
          expirationSeconds: 3600
{{- end -}}
{{- end -}}

{{- define "trifold.session.secretName" -}}
{{- default (printf "%s-sessions" (include "trifold.fullname" .)) .Values.dashboard.existingSecret -}}
{{- end -}}

{{- define "trifold.tasks.secretName" -}}
{{- default (printf "%s-tasks" (include "trifold.fullname" .)) .Values.tasks.existingSecret -}}
{{- end -}}

{{- define "trifold.previews.secretName" -}}
{{- default (printf "%s-previews" (include "trifold.fullname" .)) .Values.previews.existingSecret -}}
{{- end -}}

{{/* Name of the ConfigMap with the webhooks' public key, and of the Secret that the chart creates. */}}
{{- define "trifold.webhooks.key" -}}
{{ include "trifold.fullname" . }}-webhook-key
{{- end -}}

{{- define "trifold.webhooks.secretName" -}}
{{- default (include "trifold.webhooks.key" .) .Values.webhooks.existingSecret -}}
{{- end -}}

{{/* Value of an existing Secret, or a new value: (dict "root" $ "name" … "key" … "length" 32). Base64. */}}
{{- define "trifold.keptSecret" -}}
{{- $found := lookup "v1" "Secret" .root.Release.Namespace .name -}}
{{- $data := default dict (default dict $found).data -}}
{{- if hasKey $data .key -}}
{{- index $data .key -}}
{{- else -}}
{{- randAlphaNum .length | b64enc -}}
{{- end -}}
{{- end -}}
