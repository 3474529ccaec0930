import type { StoredTemplate } from './template-content.ts';

/** Identifies a template in a store. */
export interface TemplateName {
  readonly id: string;
  readonly name: string;
}

/** The templates that folders are compared with, in a service or a YAML file. */
export interface TemplateStore {
  /** Name in messages. */
  readonly title: string;
  /** Whether the store gives templates IDs and versions, which their folders record. */
  readonly assignsIds: boolean;
  names(): Promise<readonly TemplateName[]>;
  read(id: string): Promise<StoredTemplate>;
  /** `before`: what `read` returned; absent for a new template. Rejects if another client has changed it since. */
  save(template: StoredTemplate, before: StoredTemplate | undefined, force: boolean): Promise<SavedTemplate>;
  /** Call this after the last `save`. */
  close(): Promise<void>;
}

export interface SavedTemplate {
  readonly id: string;
  readonly version?: number | undefined;
}
