/** Entry point of a process that compiles emails. */
import { serveParent } from '@trifold/platform/child-process/serve-parent.ts';
import type { CompileRequest } from './compile-messages.ts';
import { prepareInliner } from './inbox/rule-matcher.ts';
import { EmailTemplateCompiler } from './email-template-compiler.ts';

await prepareInliner();
const compiler = new EmailTemplateCompiler();
serveParent((request: CompileRequest) => compiler.compile(request));
