{{/* Egress rules, each with destinations and ports. Without `to`, a rule allows every address. */}}
{{- define "trifold.egress.dns" -}}
- to:
    {{- if .Values.networkPolicy.dnsTo }}
    {{- toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
    {{- else }}
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: kube-system
    {{- end }}
  ports:
    {{- range .Values.networkPolicy.dnsPorts }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/*
Whether renderers need DNS; empty if not. They do not if a single Redis and the object store have IP addresses and the
allow-list, which contains host names, is empty. Sentinels and clusters may name other servers.
*/}}
{{- define "trifold.renderer.resolvesNames" -}}
{{- $address := "^([0-9]+(\\.[0-9]+){3}|\\[[0-9a-fA-F:.]+\\])(:[0-9]+)?$" -}}
{{- $redis := include "trifold.redis.parts" . | fromYaml -}}
{{- $isFixed := and (eq $redis.kind "server") (regexMatch $address (first $redis.addresses)) -}}
{{- $store := (urlParse (include "trifold.objectStore.endpoint" .)).host -}}
{{- if not (and (empty .Values.renderer.config.allowHosts) $isFixed (regexMatch $address $store)) -}}
true
{{- end -}}
{{- end -}}

{{/* Pods of this release: (dict "root" $ "component" "redis"). */}}
{{- define "trifold.peer" -}}
- podSelector:
    matchLabels:
      {{- include "trifold.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "trifold.egress.redis" -}}
{{- if .Values.redis.bundled.enabled -}}
- to:
    {{- include "trifold.peer" (dict "root" . "component" "redis") | nindent 4 }}
  ports:
    - { port: 6379, protocol: TCP }
{{- else -}}
{{- $redis := include "trifold.redis.parts" . | fromYaml -}}
{{- $ports := ternary list (toStrings .Values.networkPolicy.redisPorts) (eq $redis.kind "server") -}}
{{- range $redis.addresses -}}
{{- $ports = append $ports (splitList ":" . | last) -}}
{{- end -}}
- ports:
    {{- range uniq $ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .Values.networkPolicy.redisTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* For renderers, which have no credentials and so need no access to services that issue them. */}}
{{- define "trifold.egress.objects" -}}
{{- if .Values.objectStore.bundled.enabled -}}
{{- include "trifold.egress.objectStore" . -}}
{{- else -}}
- ports:
    - { port: {{ include "trifold.objectStore.port" . }}, protocol: TCP }
  {{- with .Values.networkPolicy.objectStoreTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{- define "trifold.egress.objectStore" -}}
{{- if .Values.objectStore.bundled.enabled -}}
- to:
    {{- include "trifold.peer" (dict "root" . "component" "minio") | nindent 4 }}
  ports:
    - { port: 9000, protocol: TCP }
{{- else -}}
{{- $hasKeys := .Values.objectStore.external.existingSecret -}}
{{- $identity := .Values.objectStore.external.webIdentity -}}
{{- $ports := list (include "trifold.objectStore.port" .) -}}
{{- if not $hasKeys -}}
{{- $sts := and $identity.enabled $identity.stsEndpoint | default "https://sts.amazonaws.com" -}}
{{- $ports = append $ports (include "trifold.port" $sts) -}}
{{- end -}}
- ports:
    {{- range uniq $ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .Values.networkPolicy.objectStoreTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if not (or $hasKeys $identity.enabled) }}
# The EKS Pod Identity agent.
- ports:
    - { port: 80, protocol: TCP }
  to:
    - ipBlock:
        cidr: 169.254.170.23/32
    - ipBlock:
        cidr: fd00:ec2::23/128
{{- end }}
{{- end -}}
{{- end -}}

{{- define "trifold.egress.apiServer" -}}
- ports:
    {{- range .Values.networkPolicy.apiServerPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .Values.networkPolicy.apiServerTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* A provider's endpoints can have different hosts from its issuer. */}}
{{- define "trifold.egress.identityProvider" -}}
- ports:
    - { port: {{ include "trifold.port" .Values.dashboard.oidc.issuer }}, protocol: TCP }
  {{- with .Values.networkPolicy.identityProviderTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Address range; a single address is a range of one. */}}
{{- define "trifold.cidr" -}}
{{ ternary . (printf "%s/%s" . (ternary "128" "32" (contains ":" .))) (contains "/" .) }}
{{- end -}}

{{/*
Public addresses without the denied ones, and the allowed ranges: (dict "root" $ "allowed" list). Kubernetes requires
exceptions to be within their range, so denied IPv6 ranges that are not public are omitted; the policy does not allow them.
*/}}
{{- define "trifold.outside" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      - 0.0.0.0/8
      - 10.0.0.0/8
      - 100.64.0.0/10
      - 127.0.0.0/8
      - 168.63.129.16/32
      - 169.254.0.0/16
      - 172.16.0.0/12
      - 192.168.0.0/16
      - 224.0.0.0/3
      {{- range .root.Values.denyAddresses }}
      {{- if not (contains ":" .) }}
      - {{ include "trifold.cidr" . }}
      {{- end }}
      {{- end }}
- ipBlock:
    cidr: 2000::/3
    {{- $denied := list }}
    {{- range .root.Values.denyAddresses }}
    {{- if regexMatch "^[23][0-9a-fA-F]{3}:" . }}
    {{- $denied = append $denied (include "trifold.cidr" .) }}
    {{- end }}
    {{- end }}
    {{- with $denied }}
    except:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- range .allowed }}
- ipBlock:
    cidr: {{ include "trifold.cidr" . }}
{{- end }}
{{- end -}}

{{/* Any port, because endpoints have any port. The controller also checks every address. */}}
{{- define "trifold.egress.webhooks" -}}
- to:
    {{- if .Values.networkPolicy.webhooksTo }}
    {{- toYaml .Values.networkPolicy.webhooksTo | nindent 4 }}
    {{- else }}
    {{- include "trifold.outside" (dict "root" . "allowed" .Values.webhooks.allowAddresses) | nindent 4 }}
    {{- end }}
    {{- with .Values.networkPolicy.webhooksAlsoTo }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* Only with an allow-list. The renderer also checks every host and address. */}}
{{- define "trifold.egress.allowedHosts" -}}
- to:
    {{- include "trifold.outside" (dict "root" . "allowed" .Values.renderer.config.allowAddresses) | nindent 4 }}
{{- end -}}

{{/* Metrics and probes of a component that serves nothing else. The node's kubelet is always allowed. */}}
{{- define "trifold.ingress.operations" -}}
- ports:
    - { port: 9090, protocol: TCP }
  from:
    {{- if .Values.networkPolicy.metricsFrom }}
    {{- toYaml .Values.networkPolicy.metricsFrom | nindent 4 }}
    {{- else }}
    - namespaceSelector: {}
    {{- end }}
{{- end -}}
