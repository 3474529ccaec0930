{{/* Spec of a claim. */}}
{{- define "trifold.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . | quote }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}

{{/* Volume for data: (dict "persistence" … "claim" "name"). */}}
{{- define "trifold.dataVolume" -}}
{{- if .persistence.enabled -}}
persistentVolumeClaim:
  claimName: {{ .claim | quote }}
{{- else -}}
emptyDir:
  sizeLimit: {{ .persistence.size }}
{{- end -}}
{{- end -}}
