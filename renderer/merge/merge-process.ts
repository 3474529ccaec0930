/** Entry point of a merge process. */
import { serveParent } from '@trifold/platform/child-process/serve-parent.ts';
import { TemplateMerger, type MergeRequest } from './template-merger.ts';

const merger = new TemplateMerger();
serveParent((request: MergeRequest) => merger.merge(request));
