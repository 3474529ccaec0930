import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Preview, PreviewRequest, Template, TemplateSample, TrifoldClient } from '@trifold/client';
import type { BrowserSession } from '../../../session/session.ts';
import { formatJson } from '../../json-text.ts';
import { SourceLink } from '../../source/source-link.ts';
import { sampleFromSchema } from '../panels/sample-from-schema.ts';
import {
  changedParts,
  changeOf,
  draftOf,
  findInvalidPart,
  previewRequestOf,
  type Draft,
  type Part,
} from './draft.ts';
import { TemplateStorage, type StoredDraft } from './stored-draft.ts';

/** Properties of a panel of the editor. */
export interface PanelProps {
  readonly edited: EditedTemplate;
  readonly readOnly: boolean;
}

/** Thrown by `save` for a part that is not valid JSON. */
export class InvalidPartError extends Error {
  override readonly name = 'InvalidPartError';
  readonly part: Part;

  constructor(part: Part, problem: string) {
    super(problem);
    this.part = part;
  }
}

/** One template in the editor: what is stored, what the person made of it, and the result of the last preview. */
export class EditedTemplate {
  readonly id: string;
  /** As the service has it, as far as this page knows. */
  readonly saved: Signal<Template>;
  readonly draft: Signal<Draft>;
  /** Sample data, JSON. */
  readonly data: Signal<string>;
  /** Named sample data of the template. */
  readonly samples: Signal<readonly TemplateSample[]>;
  /** Result of the last preview. */
  readonly result: ReadonlySignal<Preview | undefined>;
  /** Parts that differ from the stored template. */
  readonly changed: ReadonlySignal<ReadonlySet<Part>>;
  readonly isChanged: ReadonlySignal<boolean>;
  /** Latest request that can be previewed: it stays while a part is not valid JSON. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Connects the HTML with the pages of the preview. */
  readonly link: SourceLink;
  /** Draft of an earlier visit that the editor continues; undefined once it was saved or discarded. */
  readonly restored: Signal<StoredDraft | undefined>;
  /** Version that the draft is based on. */
  #baseVersion: number;
  readonly #client: TrifoldClient;
  readonly #storage: TemplateStorage;
  readonly #result = signal<Preview | undefined>(undefined);
  /** Request of the last preview. */
  readonly #previewed = signal<PreviewRequest | undefined>(undefined);

  constructor({ client, signedIn }: BrowserSession, template: Template, samples: readonly TemplateSample[]) {
    this.id = template.id;
    this.#client = client;
    this.#storage = new TemplateStorage(signedIn.peek()?.account ?? '', template.id);
    const stored = this.#storage.readDraft();
    const base = draftOf(template);
    this.#baseVersion = stored?.baseVersion ?? template.version;
    this.saved = signal(template);
    this.draft = signal(stored?.draft ?? base);
    this.data = signal(this.#storage.readData() ?? firstData(template, samples));
    this.samples = signal(samples);
    this.restored = signal(stored);
    const savedDraft = computed(() => draftOf(this.saved.value));
    this.changed = computed(() => changedParts(this.draft.value, savedDraft.value));
    this.isChanged = computed(() => this.changed.value.size > 0);
    this.request = latestRequest(this.draft, this.data);
    this.result = this.#result;
    this.link = new SourceLink(
      computed(() => (this.#previewed.value === this.request.value ? this.#previewed.value : undefined)),
    );
  }

  edit(change: Partial<Draft>): void {
    this.draft.value = { ...this.draft.value, ...change };
  }

  editData(data: string): void {
    this.data.value = data;
    this.#storage.storeData(data);
  }

  /** Keeps the result of a preview of the latest request; undefined after a failed call. */
  setResult(result: Preview | undefined): void {
    this.#result.value = result;
    this.#previewed.value = result && this.request.peek();
  }

  /** Changes the samples of the template. `change` gets what the service has now. Throws the errors of the calls. */
  async saveSamples(
    change: (samples: readonly TemplateSample[]) => readonly TemplateSample[],
  ): Promise<void> {
    const changed = change(await this.#client.templates.samples(this.id));
    await this.#client.templates.saveSamples(this.id, changed);
    this.samples.value = changed;
  }

  /**
   * Saves the draft as a new version. `over`: the template of somebody else that it replaces. Throws InvalidPartError,
   * ConflictError `version_conflict` when somebody else saved first, and the errors of a call.
   */
  async save(over?: Template): Promise<Template> {
    const draft = this.draft.value;
    const invalid = findInvalidPart(draft);
    if (invalid) throw new InvalidPartError(invalid.part, invalid.problem);
    const ifVersion = over?.version ?? this.#baseVersion;
    const change = changeOf(draft, draftOf(over ?? this.saved.value));
    this.#setSaved(await this.#client.templates.update(this.id, change, { ifVersion }));
    return this.saved.value;
  }

  /** Replaces the draft by a stored template. */
  replace(template: Template): void {
    this.#setSaved(template);
    this.draft.value = draftOf(template);
  }

  /** Keeps unsaved changes in this browser. Returns false when there is no room. */
  keep(): boolean {
    if (this.isChanged.value) return this.#storage.storeDraft(this.draft.value, this.#baseVersion);
    this.#storage.removeDraft();
    return true;
  }

  #setSaved(template: Template): void {
    this.saved.value = template;
    this.#baseVersion = template.version;
    this.restored.value = undefined;
    // The person may have typed while it was saved.
    this.keep();
  }
}

/** Data that a person sees who has entered none. */
function firstData({ schema }: Template, [first]: readonly TemplateSample[]): string {
  return formatJson(first?.data ?? sampleFromSchema(schema));
}

/** Request of the draft's parts. Parts that a preview does not show cause no new one. */
function latestRequest(
  draft: Signal<Draft>,
  data: Signal<string>,
): ReadonlySignal<PreviewRequest | undefined> {
  let parts: readonly unknown[] = [];
  let latest: PreviewRequest | undefined;
  return computed(() => {
    const { html, css, schema, options, email } = draft.value;
    const shown = [html, css, schema, options, email, data.value];
    if (shown.every((part, index) => part === parts[index])) return latest;
    parts = shown;
    latest = previewRequestOf(draft.value, data.value) ?? latest;
    return latest;
  });
}
