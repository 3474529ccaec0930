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
