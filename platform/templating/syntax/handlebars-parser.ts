import Handlebars from 'handlebars';

interface Lexer {
  _input: string;
  matched: string;
  /** Where the last token stands; undefined before the first text. */
  yylloc?: { first_line: number; first_column: number };
  setInput(text: string): Lexer;
  unput(text: string): Lexer;
}

/** The lexer of Handlebars' parser; every parse uses the same one. */
export const handlebarsLexer = (Handlebars as unknown as { Parser: { lexer: Lexer } }).Parser.lexer;

/**
 * Makes the lexer linear in the number of comments. It puts the first characters of a comment back in front of the rest
 * of the text, by concatenation: a copy of the rest for each comment, all of which stay in memory until the end (19,000
 * comments in 1 MB take 10 GB). As the rest of the text is always the end of the whole text, a slice has the same result
 * and costs nothing. What was matched so far is copied likewise; only a line of the error message that nobody reads
 * needs it.
 */
function makeCommentsLinear(lexer: Lexer): void {
  const setInput = lexer.setInput.bind(lexer);
  const unput = lexer.unput.bind(lexer);
  let whole = '';
  lexer.setInput = (text) => {
    whole = text;
    return setInput(text);
  };
  lexer.unput = (text) => {
    const rest = lexer._input.length + text.length;
    lexer._input = '';
    lexer.matched = '';
    unput(text);
    lexer._input = whole.slice(whole.length - rest);
    return lexer;
  };
}

makeCommentsLinear(handlebarsLexer);
