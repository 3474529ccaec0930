import { escapeMarkup } from './escape-markup.ts';
import type { SampleResult } from './sample.ts';

/** Characters that XML 1.0 does not allow, even escaped. */
// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Returns the results as JUnit XML, with a suite per template. A difference from a file recorded elsewhere is a
 * skipped test, because JUnit has no third verdict.
 */
export function junitReport(results: readonly SampleResult[]): string {
  const suites = [...Map.groupBy(results, ({ sample }) => sample.template)].map(([template, ofTemplate]) => {
    const count = (outcome: SampleResult['outcome']) =>
      ofTemplate.filter((result) => result.outcome === outcome).length;
    const counts = `tests="${ofTemplate.length}" failures="${count('failed')}" errors="0" skipped="${count('elsewhere')}"`;
    const cases = ofTemplate.map(testCase).join('\n');
    return `  <testsuite name="${text(template)}" ${counts}>\n${cases}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="trifold test">\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCase({ sample, outcome, messages, seconds }: SampleResult): string {
  const start = `    <testcase classname="${text(sample.template)}" name="${text(sample.name)}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'passed' || outcome === 'recorded') return `${start} />`;
  const summary = text(messages.map((message) => message.split('\n', 1).join('')).join('; '));
  const details = text(messages.join('\n'));
  const verdict =
    outcome === 'elsewhere'
      ? `<skipped message="recorded elsewhere: ${summary}" />\n      <system-out>${details}</system-out>`
      : `<failure message="${summary}">${details}</failure>`;
  return `${start}>\n      ${verdict}\n    </testcase>`;
}

function text(value: string): string {
  return escapeMarkup(value.replaceAll(NOT_XML, '\ufffd'));
}
