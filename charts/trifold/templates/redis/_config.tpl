{{/* Tasks in the queue must survive a restart and must never be evicted. */}}
{{- define "trifold.redis.serverConfig" -}}
bind * -::*
port 6379
dir /data
appendonly yes
appendfsync everysec
save ""
maxmemory {{ .Values.redis.bundled.maxMemory }}
maxmemory-policy noeviction
{{- end -}}

{{/*
Permissions of the renderers' user: to take tasks and report their outcomes, and to run KEDA's queries. A test compares
them with workerPermissions in platform/render-queue/testing/redis-contract.ts.
*/}}
{{- define "trifold.redis.workerPermissions" -}}
{{- range $queue := list "interactive" "asynchronous" "batch" -}}
~{{ $.Values.redis.prefix }}:{{ $queue }}:* {{ end -}}
+@hash +@list +@set +@sortedset +@string +@stream +del +exists +type +pexpire +pttl +eval +evalsha +ping +info +select +client|setname
{{- end -}}
