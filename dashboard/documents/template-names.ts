import { useResource } from '../loading/resource.ts';
import { useSession } from '../session/session.ts';

/** Maximum number of entries per list page. */
const PAGE_SIZE = 100;

/** Names of the newest templates by ID. */
export interface TemplateNames {
  readonly names: ReadonlyMap<string, string>;
  /** Whether these are all of the account's templates. */
  readonly isComplete: boolean;
}

const NONE: TemplateNames = { names: new Map(), isComplete: false };

/** Loads the names of the newest 100 templates, if the session may read templates. */
export function useTemplateNames(): TemplateNames {
  const { client, allows } = useSession();
  const templates = useResource(async (signal): Promise<TemplateNames> => {
    if (!allows('templates:read')) return NONE;
    const { data, pagination } = await client.templates.page({ limit: PAGE_SIZE }, { signal });
    const names = new Map(data.map(({ id, name }) => [id, name] as const));
    return { names, isComplete: pagination.next_cursor === null };
  });
  return templates.value.value ?? { ...NONE, isComplete: allows('templates:read') };
}
