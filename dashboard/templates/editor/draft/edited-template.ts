import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type {
  Generation,
  Preview,
  PreviewRequest,
  Template,
  TemplateSample,
  TrifoldClient,
} from '@trifold/client';
import type { BrowserSession } from '../../../session/session.ts';
import { editor as messages } from '../../../messages/template-editor.ts';
import { formatJson, isSameJson, objectIn, parseObject } from '../../json-text.ts';
import type { Problem } from '../../problems/problem.ts';
import { SourceLink } from '../../source/source-link.ts';
import { sampleFromSchema } from '../panels/sample-from-schema.ts';
import {
  changedParts,
  changeOf,
  draftOf,
  findInvalidPart,
  findMissingTexts,
  previewRequestOf,
  type Draft,
  type Part,
} from './draft.ts';
import { rejectedDraft, type RejectedDraft } from './rejected-draft.ts';
import { TemplateStorage, type StoredData, type StoredDraft } from './stored-draft.ts';

/** A document whose data the editor shows. */
export interface OpenedDocument {
  readonly document: Generation;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Properties of an editor panel. */
export interface PanelProps {
  readonly edited: EditedTemplate;
  readonly readOnly: boolean;
}

/** Thrown by `save` for a part that cannot be saved, with a message for the user. */
export class InvalidPartError extends Error {
  override readonly name = 'InvalidPartError';
  readonly part: Part;

  constructor(part: Part, message: string) {
    super(message);
    this.part = part;
  }
}

/** One template in the editor: the stored template, the user's changes, and the result of the last preview. */
export class EditedTemplate {
  readonly id: string;
  /** The stored template, as far as this page knows. */
  readonly saved: Signal<Template>;
  readonly draft: Signal<Draft>;
  /** Sample data, JSON. */
  readonly data: Signal<string>;
  /** Name of the sample being edited; undefined: the data becomes a new sample. */
  readonly sample: Signal<string | undefined>;
  /** The template's named sample data. */
  readonly samples: Signal<readonly TemplateSample[]>;
  /** The document whose data the editor shows instead of sample data. That data is never stored. */
  readonly opened: Signal<OpenedDocument | undefined>;
  /** Result of the last preview. */
  readonly result: Signal<Preview | undefined> = signal(undefined);
  /** The draft that the service last rejected, with its errors. */
  readonly rejected: Signal<RejectedDraft | undefined> = signal(undefined);
  /** The template's problems. They do not change while the user types (`useProblems`). */
  readonly problems: Signal<readonly Problem[]> = signal([]);
  /** Whether the draft cannot be previewed because a part is not valid JSON. */
  readonly isHeldBack: ReadonlySignal<boolean>;
  /** Parts that differ from the stored template. */
  readonly changed: ReadonlySignal<ReadonlySet<Part>>;
  readonly isChanged: ReadonlySignal<boolean>;
  /** Latest request that can be previewed: it is kept while a part is not valid JSON. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Links the HTML with the preview pages. */
  readonly link: SourceLink;
  /** Draft from an earlier visit that the editor restored; undefined once it is saved or discarded. */
  readonly restored: Signal<StoredDraft | undefined>;
  /** Version that the draft is based on. */
  #baseVersion: number;
  readonly #client: TrifoldClient;
  readonly #storage: TemplateStorage;
  /** The sample's stored data, otherwise the data shown for a template without samples. */
  readonly #savedData: ReadonlySignal<string>;
  /** Request of the last preview. */
  readonly #previewed = signal<PreviewRequest | undefined>(undefined);

  constructor(
    { client, signedIn, allows }: BrowserSession,
    template: Template,
    samples: readonly TemplateSample[],
    opened?: OpenedDocument,
  ) {
    this.id = template.id;
    this.#client = client;
    this.#storage = new TemplateStorage(signedIn.peek()?.account ?? '', template.id);
    const stored = this.#storage.readDraft();
    const base = draftOf(template);
    this.#baseVersion = stored?.baseVersion ?? template.version;
    this.saved = signal(template);
    this.draft = signal(stored?.draft ?? base);
    const firstData = formatJson(sampleFromSchema(template.schema));
    const { data, sample } = opened
      ? { data: formatJson(opened.data), sample: null }
      : this.#firstData(samples, firstData);
    this.opened = signal(opened);
    this.data = signal(data);
    this.sample = signal(sample ?? undefined);
    this.samples = signal(samples);
    this.#savedData = computed(
      () => dataOf(this.samples.value.find(({ name }) => name === this.sample.value)) ?? firstData,
    );
    this.restored = signal(stored);
    this.changed = this.#changes(allows('templates:write'));
    this.isChanged = computed(() => this.changed.value.size > 0);
    this.request = latestRequest(this.draft, this.data);
    this.isHeldBack = computed(
      () => this.draft.value.html === '' || findInvalidPart(this.draft.value, this.data.value) !== undefined,
    );
    this.link = new SourceLink(
      computed(() => (this.#previewed.value === this.request.value ? this.#previewed.value : undefined)),
    );
  }

  edit(change: Partial<Draft>): void {
    this.draft.value = { ...this.draft.value, ...change };
  }

  /** Changes the data of a sample: the current one unless a name is given. Undefined: a new sample. */
  editData(data: string, sample = this.sample.peek()): void {
    this.data.value = data;
    this.sample.value = sample;
    if (sample !== undefined) this.opened.value = undefined;
  }

  /** Shows generated data as a new sample. */
  showNewData(data: string): void {
    this.opened.value = undefined;
    this.sample.value = undefined;
    this.editData(data);
  }

  /** Shows the sample data again instead of a document's. */
  closeDocument(): void {
    this.opened.value = undefined;
    const { data, sample } = this.#firstData(this.samples.peek(), this.#savedData.peek());
    this.data.value = data;
    this.sample.value = sample ?? undefined;
  }

  /** Stores the preview result of the latest request; undefined after a failed call. */
  setResult(result: Preview | undefined): void {
    this.result.value = result;
    this.#previewed.value = result && this.request.peek();
  }

  /** Changes the template's samples. `change` receives the samples now stored. Rejects with the errors of the calls. */
  async saveSamples(
    change: (samples: readonly TemplateSample[]) => readonly TemplateSample[],
  ): Promise<void> {
    const changed = change(await this.#client.templates.samples(this.id));
    await this.#client.templates.saveSamples(this.id, changed);
    this.samples.value = changed;
  }

  /** Saves the data under a name, replacing the sample of that name. */
  async saveSampleAs(name: string): Promise<void> {
    const data = { ...objectIn(this.data.peek()) };
    await this.saveSamples((samples) => withSample(samples, { name, data }));
    this.#setSavedData(name);
  }

  /** Renames the sample that the editor shows. Rejects with the errors of the calls. */
  async renameSample(name: string): Promise<void> {
    const before = this.sample.peek();
    await this.saveSamples((samples) =>
      samples.map((sample) => (sample.name === before ? { ...sample, name } : sample)),
    );
    this.#setSavedData(name);
  }

  /**
   * Saves the draft as a new version and changed data in its sample, separately, so that one is saved even if the other
   * is rejected. `over`: another user's template to overwrite. Throws InvalidPartError before saving anything,
   * ConflictError `version_conflict` when another user saved first, and errors from the calls.
   */
  async save(over?: Template): Promise<Template> {
    const draft = this.draft.value;
    const changed = this.changed.peek();
    const data = changed.has('data') ? this.data.peek() : undefined;
    const isDraftChanged = [...changed].some((part) => part !== 'data');
    const invalid = findInvalidPart(draft, data);
    if (invalid) {
      const { part, problem } = invalid;
      throw new InvalidPartError(part, messages.invalidPart(messages.parts[part], problem));
    }
    const [missing] = findMissingTexts(draft);
    if (missing) throw new InvalidPartError(missing.part, messages.notSaved(missing.remedy));
    const outcomes = await Promise.allSettled([
      (isDraftChanged || over) && this.#saveDraft(draft, over),
      data !== undefined && this.#saveData(data),
    ]);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
    return this.saved.value;
  }

  /** Publishes the saved version. Rejects with the errors of the call. */
  async publish(): Promise<Template> {
    this.#setSaved(await this.#client.templates.publish(this.id, this.saved.peek().version));
    return this.saved.value;
  }

  /** Data that is valid JSON: the editor's, or else the document's or the saved data of the sample. */
  validData(): Record<string, unknown> {
    const parsed = parseObject(this.data.peek());
    if (!('problem' in parsed)) return { ...parsed.value };
    return { ...(this.opened.peek()?.data ?? objectIn(this.#savedData.value)) };
  }

  /** Unsaved data of an earlier visit, or the first sample. */
  #firstData(samples: readonly TemplateSample[], otherwise: string): StoredData {
    return this.#storage.readData() ?? shownFirst(samples, otherwise);
  }

  async #saveDraft(draft: Draft, over: Template | undefined): Promise<void> {
    const ifVersion = over?.version ?? this.#baseVersion;
    const change = changeOf(draft, draftOf(over ?? this.saved.value));
    try {
      this.#setSaved(await this.#client.templates.update(this.id, change, { ifVersion }));
    } catch (error) {
      this.rejected.value = rejectedDraft(draft, error);
      throw error;
    }
  }

  async #saveData(data: string): Promise<void> {
    const chosen = this.sample.peek();
    let name = chosen;
    await this.saveSamples((samples) =>
      withSample(samples, { name: (name ??= freeName(samples)), data: { ...objectIn(data) } }),
    );
    // The user may have selected another sample during the save.
    if (name !== undefined && this.sample.peek() === chosen) this.#setSavedData(name);
  }

  /**
   * Replaces the draft with a stored template, and the samples with the stored ones. Rejects with the call's errors.
   */
  async load(template: Template): Promise<void> {
    this.samples.value = await this.#client.templates.samples(this.id);
    this.replace(template);
  }

  /** Replaces the draft with a stored template. */
  replace(template: Template): void {
    this.#setSaved(template);
    this.draft.value = draftOf(template);
    if (this.opened.peek()) return;
    this.data.value = this.#savedData.value;
    this.#storage.removeData();
  }

  /** Stores unsaved changes in this browser. Returns false when there is no space. */
  keep(): boolean {
    const isDataKept = this.#keepData();
    if (this.isChanged.value) {
      return this.#storage.storeDraft(this.draft.value, this.#baseVersion) && isDataKept;
    }
    this.#storage.removeDraft();
    return isDataKept;
  }

  /** Also keeps data from a session that cannot save it, but never a document's data. */
  #keepData(): boolean {
    if (this.opened.peek()) return true;
    const { data, sample } = this;
    if (this.#isDataChanged()) {
      return this.#storage.storeData({ data: data.value, sample: sample.value ?? null });
    }
    this.#storage.removeData();
    return true;
  }

  #changes(canSaveData: boolean): ReadonlySignal<ReadonlySet<Part>> {
    const saved = computed(() => draftOf(this.saved.value));
    return computed(() => {
      const parts = changedParts(this.draft.value, saved.value);
      return canSaveData && this.#isDataChanged() ? new Set([...parts, 'data' as const]) : parts;
    });
  }

  #isDataChanged(): boolean {
    return !this.opened.value && !isSameJson(this.data.value, this.#savedData.value);
  }

  #setSavedData(sample: string): void {
    this.sample.value = sample;
    // The user may have typed during the save.
    this.#keepData();
  }

  #setSaved(template: Template): void {
    this.saved.value = template;
    this.#baseVersion = template.version;
    this.restored.value = undefined;
    // The user may have typed during the save.
    this.keep();
  }
}

/** Data of the first sample, or empty data without one. */
function shownFirst([first]: readonly TemplateSample[], otherwise: string): StoredData {
  return { data: dataOf(first) ?? otherwise, sample: first?.name ?? null };
}

function dataOf(sample: TemplateSample | undefined): string | undefined {
  return sample && formatJson(sample.data);
}

/** Returns the samples with one added, replacing any sample with the same name. */
function withSample(samples: readonly TemplateSample[], added: TemplateSample): readonly TemplateSample[] {
  if (samples.every(({ name }) => name !== added.name)) return [...samples, added];
  return samples.map((sample) => (sample.name === added.name ? added : sample));
}

/** An unused name for a new sample. */
function freeName(samples: readonly TemplateSample[]): string {
  for (let number = 1; ; number += 1) {
    const name = messages.newSample(number);
    if (samples.every((sample) => sample.name !== name)) return name;
  }
}

/** Preview request for the draft. Changes to parts that a preview does not show do not cause a new request. */
function latestRequest(
  draft: Signal<Draft>,
  data: Signal<string>,
): ReadonlySignal<PreviewRequest | undefined> {
  let parts: readonly unknown[] = [];
  let latest: PreviewRequest | undefined;
  return computed(() => {
    const { html, css, schema, options, email, eInvoice } = draft.value;
    const shown = [html, css, schema, options, email, eInvoice, data.value];
    if (shown.every((part, index) => part === parts[index])) return latest;
    parts = shown;
    latest = previewRequestOf(draft.value, data.value) ?? latest;
    return latest;
  });
}
