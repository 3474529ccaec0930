/** Official rules that Trifold does not check under their names, with the reason. Each entry matches at least one. */
export const NOT_CHECKED: readonly (readonly [rules: RegExp, reason: string])[] = [
  [/^(UBL|CII)-/, 'The structure of the XML, which the writers produce and the reader checks.'],
  [/^(BR-01|PEPPOL-EN16931-R00[14])$/, 'The profile sets BT-23 and BT-24.'],
  [/^FX-SCH-/, 'Factur-X renumbers the rules of EN 16931.'],
  [/^BR-CO-0[5-8]$/, 'That a reason and its code mean the same; the official rules do not test it, either.'],
  [/^BR-CO-17$/, 'The same as BR-S-09, BR-AF-09 and BR-AG-09, and as the rules that the VAT is 0.'],
  [/^BR-CO-(19|20)$/, 'A period without dates is not written.'],
  [/^BR-CO-2[1-4]$/, 'The same as BR-33, BR-38, BR-42 and BR-44.'],
  [/^BR-B-0[12]$/, 'VAT category B, for payments within Italy, is not a code that Trifold accepts.'],
  [/^BR-CL-03$/, 'Amounts have the currencies BT-5 and BT-6, which BR-CL-04 and BR-CL-05 check.'],
  [/^(BR-CL-24|BR-DE-22|DE-R-022|PEPPOL-EN16931-CL001)$/, 'Attached files (BT-125) are not supported.'],
  [/^BR-DE-(17|19|20|21|26|27|28|TMP-32)$|^BR-TMP-2$/, 'A warning, which does not make an invoice invalid.'],
  [/^DE-R-(017|019|020|026|027|028|T02)$/, 'A warning, which does not make an invoice invalid.'],
  [/^PEPPOL-COMMON-R0(44|45|46|47|54|55|56-[12]|57)$/, 'A warning, which does not make an invoice invalid.'],
  [
    /^BR-DE-CVD-|^BR-TMP-CVD-/,
    'For purchases of clean vehicles, which have another specification identifier.',
  ],
  [/^BR-DEX-/, 'For the XRechnung extension, which has another specification identifier.'],
  [
    /^PEPPOL-EN16931-(R008|R04[34](-\d)?|R05[134]|R080|R10[01]|F001)$|^BR-TMP-3$/,
    'The structure of the XML.',
  ],
  [/^PEPPOL-EN16931-CL00[2367]$/, 'The same as BR-CL-19, BR-CL-20, BR-CL-06 and BR-CL-04.'],
  [/^PEPPOL-EN16931-P0101$/, 'Reported as PEPPOL-EN16931-P0100.'],
  [
    /^(DK|GR|IS|IT|NL|NO|SE)-[RS]-/,
    'Only for sellers in Denmark, Greece, Iceland, Italy, the Netherlands, Norway or Sweden.',
  ],
];
