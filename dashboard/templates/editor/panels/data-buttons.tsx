import { Button } from '../../../components/controls/button.tsx';
import { showToast } from '../../../components/notices/toasts.tsx';
import { editor as messages } from '../../../messages/template-editor.ts';
import { isSameJson, parseObject } from '../../json-text.ts';
import type { EditedTemplate } from '../draft/edited-template.ts';
import { completedData, schemaWithData } from '../draft/from-template.ts';

interface DataButtonProps {
  readonly edited: EditedTemplate;
}

export function FromTemplateButton({ edited }: DataButtonProps) {
  return (
    <Button title={messages.fromTemplateHint} onClick={() => completeData(edited)}>
      {messages.fromTemplate}
    </Button>
  );
}

/** Adds the fields that the bindings need to the schema and the sample data, and reports the additions. */
export function completeData(edited: EditedTemplate): void {
  const { email, eInvoice, ...draft } = edited.draft.peek();
  const data = edited.data.peek();
  const { enabled, mapping } = eInvoice;
  const template = { ...draft, ...(email.enabled && { email }), ...(enabled && { mapping }) };
  const completed = completedData(template, { schema: draft.schema, data });
  if (!completed) {
    showToast(messages.notJson);
    return;
  }
  const isSame = isSameJson(completed.schema, draft.schema) && isSameJson(completed.data, data);
  showToast(isSame ? messages.nothingMissing : messages.fromTemplateDone);
  if (isSame) return;
  edited.edit({ schema: completed.schema });
  edited.editData(completed.data);
}

export function FromDataButton({ edited }: DataButtonProps) {
  return (
    <Button title={messages.fromDataHint} onClick={() => addFieldsOfData(edited)}>
      {messages.fromData}
    </Button>
  );
}

/** Adds the sample data's fields to the schema, and reports it. */
export function addFieldsOfData(edited: EditedTemplate): void {
  const schema = schemaWithData({ schema: edited.draft.peek().schema, data: edited.data.peek() });
  if (schema !== undefined) edited.edit({ schema });
  showToast(schema === undefined ? messages.notJson : messages.fromDataDone);
}

/** Offers to create data for a template with bindings but neither data nor a schema, for example a pasted one. */
export function MissingDataButton({ edited }: DataButtonProps) {
  const { html, schema } = edited.draft.value;
  const data = parseObject(edited.data.value);
  const isEmpty = schema.trim() === '' && 'value' in data && Object.keys({ ...data.value }).length === 0;
  return isEmpty && html.includes('{{') ? <FromTemplateButton edited={edited} /> : null;
}
