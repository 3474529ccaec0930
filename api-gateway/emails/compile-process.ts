/** Entry of a process that compiles emails. */
import { serveParent } from '@trifold/platform/child-process/serve-parent.ts';
import type { CompileRequest } from './compile-messages.ts';
import { prepareInliner } from './inbox-html.ts';
import { LetterCompiler } from './letter-compiler.ts';

await prepareInliner();
const compiler = new LetterCompiler();
serveParent((request: CompileRequest) => compiler.compile(request));
