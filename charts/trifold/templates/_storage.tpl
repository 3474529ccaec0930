{{/* Spec of a claim. */}}
{{- define "trifold.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}

{{/* Volume for data: (dict "persistence" … "claim" "name"). */}}
{{- define "trifold.dataVolume" -}}
{{- if .persistence.enabled -}}
persistentVolumeClaim:
  claimName: {{ .claim }}
{{- else -}}
emptyDir:
  sizeLimit: {{ .persistence.size }}
{{- end -}}
{{- end -}}
