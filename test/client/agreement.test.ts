import type { CreatedKey, KeyPage, KeyView, NewKey } from '@trifold/api-gateway/api-keys/key-body.ts';
import type { BatchBody } from '@trifold/api-gateway/work/batches/batch-body.ts';
import type { BatchInFullView, BatchView } from '@trifold/api-gateway/work/batches/batch-view.ts';
import type { EmailBody, EmailView } from '@trifold/api-gateway/emails/email-body.ts';
import type { DocumentView } from '@trifold/api-gateway/work/documents/document-view.ts';
import type { GenerateBody } from '@trifold/api-gateway/work/documents/generate-body.ts';
import type {
  NewTemplate,
  TemplateChange,
  TemplatePage,
  TemplateView,
} from '@trifold/api-gateway/templates/template-body.ts';
import type { BillingView } from '@trifold/api-gateway/usage/billing-view.ts';
import type { UsageView } from '@trifold/api-gateway/usage/usage-view.ts';
import type {
  DeliveryEntry,
  DeliveryQuery,
  DeliveryView,
} from '@trifold/api-gateway/webhooks/deliveries/delivery-body.ts';
import type {
  CreatedHook,
  HookBody,
  HookView,
  SavedSettings,
  SettingsBody,
  SettingsView,
  TestResult,
} from '@trifold/api-gateway/webhooks/endpoint-body.ts';
import type * as client from '@trifold/client';
import type * as crds from '@trifold/crds';
import { describe, expectTypeOf, it } from 'vitest';

/** Without `readonly`, which only the client's types have. */
type Mutable<T> = T extends readonly (infer Entry)[]
  ? Mutable<Entry>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Mutable<T[Name]> }
    : T;

/** Names of members, of every variant. */
type Names<T> = T extends unknown ? keyof T : never;

// The types of the client are written by hand. These are held to the service's by `npm run check`, not by running them.
describe('the types of the client agree with the schemas of the service', () => {
  it('in what is answered', () => {
    expectTypeOf<Mutable<client.Generation>>().toExtend<DocumentView>();
    expectTypeOf<Names<client.Generation>>().toEqualTypeOf<keyof DocumentView>();
    expectTypeOf<Mutable<client.Batch>>().toExtend<BatchView>();
    expectTypeOf<Mutable<client.BatchWithItems>>().toExtend<BatchInFullView>();
    expectTypeOf<keyof client.BatchWithItems>().toEqualTypeOf<keyof BatchInFullView>();
    expectTypeOf<keyof client.BatchItem>().toEqualTypeOf<keyof BatchInFullView['items'][number]>();
    expectTypeOf<Mutable<client.CompiledEmail>>().toEqualTypeOf<EmailView>();
    expectTypeOf<Mutable<client.CreatedApiKey>>().toExtend<CreatedKey>();
    expectTypeOf<keyof client.CreatedApiKey>().toEqualTypeOf<keyof CreatedKey>();
    expectTypeOf<Mutable<client.ApiKey>>().toExtend<KeyView>();
    expectTypeOf<keyof client.ApiKey>().toEqualTypeOf<keyof KeyView>();
    expectTypeOf<Mutable<client.Page<client.ApiKey>>>().toExtend<KeyPage>();
    expectTypeOf<Mutable<client.Template>>().toExtend<TemplateView>();
    expectTypeOf<keyof client.Template>().toEqualTypeOf<keyof TemplateView>();
    expectTypeOf<Mutable<client.Page<client.TemplateEntry>>>().toEqualTypeOf<TemplatePage>();
    expectTypeOf<UsageView>().toExtend<client.Usage>();
    expectTypeOf<Mutable<client.Usage>>().toExtend<UsageView>();
    expectTypeOf<Mutable<client.Billing>>().toEqualTypeOf<BillingView>();
  });

  it('in what is answered about webhooks', () => {
    expectTypeOf<Mutable<client.WebhookSettings>>().toEqualTypeOf<SettingsView>();
    expectTypeOf<Mutable<client.SavedWebhookSettings>>().toExtend<SavedSettings>();
    expectTypeOf<keyof client.SavedWebhookSettings>().toEqualTypeOf<keyof SavedSettings>();
    expectTypeOf<Mutable<client.Hook>>().toExtend<HookView>();
    expectTypeOf<HookView>().toExtend<client.Hook>();
    expectTypeOf<Mutable<client.CreatedHook>>().toExtend<CreatedHook>();
    expectTypeOf<keyof client.CreatedHook>().toEqualTypeOf<keyof CreatedHook>();
    expectTypeOf<Mutable<client.WebhookTestResult>>().toEqualTypeOf<TestResult>();
    expectTypeOf<Mutable<client.DeliveryEntry>>().toExtend<DeliveryEntry>();
    expectTypeOf<DeliveryEntry>().toExtend<client.DeliveryEntry>();
    expectTypeOf<Mutable<client.WebhookDelivery>>().toExtend<DeliveryView>();
    expectTypeOf<DeliveryView>().toExtend<client.WebhookDelivery>();
  });

  it('in what is sent', () => {
    expectTypeOf<Mutable<client.NewWebhookSettings>>().toExtend<SettingsBody>();
    expectTypeOf<keyof client.NewWebhookSettings>().toEqualTypeOf<keyof SettingsBody>();
    expectTypeOf<Mutable<client.NewHook>>().toExtend<HookBody>();
    expectTypeOf<keyof client.NewHook>().toEqualTypeOf<keyof HookBody>();
    expectTypeOf<keyof client.DeliveryQuery>().toEqualTypeOf<keyof DeliveryQuery>();
    expectTypeOf<client.SubscribableEvent>().toEqualTypeOf<crds.SubscribableEvent>();
    expectTypeOf<keyof client.GenerateRequest | 'async'>().toEqualTypeOf<keyof GenerateBody>();
    expectTypeOf<keyof client.BatchRequest>().toEqualTypeOf<keyof BatchBody>();
    expectTypeOf<keyof client.GenerationOptions>().toEqualTypeOf<
      keyof NonNullable<GenerateBody['options']>
    >();
    expectTypeOf<client.BatchRequest['format']>().toEqualTypeOf<BatchBody['format']>();
    expectTypeOf<Names<client.CompileRequest>>().toEqualTypeOf<keyof EmailBody>();
    expectTypeOf<client.InlineLetter>().toEqualTypeOf<NonNullable<EmailBody['template']>>();
    expectTypeOf<Mutable<client.NewApiKey>>().toEqualTypeOf<NewKey>();
    expectTypeOf<keyof client.NewTemplate>().toEqualTypeOf<keyof NewTemplate>();
    expectTypeOf<keyof client.TemplateChange>().toEqualTypeOf<keyof TemplateChange>();
    expectTypeOf<keyof client.FieldDefinition>().toEqualTypeOf<keyof crds.FieldDefinition>();
    expectTypeOf<client.Scope>().toEqualTypeOf<crds.Scope>();
  });

  it('in events', () => {
    type DataOf<Type extends crds.EventType> = Mutable<
      Extract<client.WebhookEvent | client.CallbackEvent, { type: Type }>['data']
    >;
    expectTypeOf<(client.WebhookEvent | client.CallbackEvent)['type']>().toEqualTypeOf<crds.EventType>();
    expectTypeOf<crds.EventDataByType>().toExtend<{ [Type in crds.EventType]: DataOf<Type> }>();
    expectTypeOf<{ [Type in crds.EventType]: DataOf<Type> }>().toExtend<crds.EventDataByType>();
  });
});
