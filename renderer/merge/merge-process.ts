/** Entry of a merge process. */
import { serveParent } from '@trifold/platform/child-process/serve-parent.ts';
import type { MergeRequest } from './merge-messages.ts';
import { TemplateMerger } from './template-merger.ts';

const merger = new TemplateMerger();
serveParent((request: MergeRequest) => merger.merge(request));
