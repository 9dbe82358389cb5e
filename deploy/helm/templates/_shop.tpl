{{- define "passlane.image" -}}
{{ .Values.image.repository }}:{{ required "image.tag is the id of a release" .Values.image.tag }}
{{- end }}

{{- define "passlane.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: temporary
    emptyDir: { sizeLimit: 512Mi }
  - name: secrets
    secret:
      secretName: {{ .Values.secret.name }}
      defaultMode: 0440
  {{- with .Values.journal.existingClaim }}
  - name: journal
    persistentVolumeClaim: { claimName: {{ . }} }
  {{- end }}
{{- end }}

{{- define "passlane.container" -}}
image: {{ include "passlane.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  {{- range $name, $value := .Values.variables }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- range .Values.secret.keys }}
  - { name: {{ . }}_FILE, value: /secrets/{{ . }} }
  {{- end }}
  {{- if .Values.journal.existingClaim }}
  {{- if not .Values.variables.ASSIGNMENT_JOURNAL_BUCKET }}
  - { name: ASSIGNMENT_JOURNAL_DIR, value: /journal }
  {{- end }}
  - { name: AUDIT_HEADS_FILE, value: /journal/audit-heads.jsonl }
  {{- end }}
{{- end }}

{{- define "passlane.mounts" -}}
- { name: temporary, mountPath: /tmp }
- { name: secrets, mountPath: /secrets, readOnly: true }
{{- if .Values.journal.existingClaim }}
- { name: journal, mountPath: /journal }
{{- end }}
{{- end }}
