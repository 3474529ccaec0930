import type { TermId } from '../invoice.ts';
import { REQUIRED, term, type Term } from './term.ts';

type Numbers = readonly [
  line1: number,
  line2: number,
  line3: number,
  city: number,
  postCode: number,
  subdivision: number,
  country: number,
];

/** Returns the terms of a postal address. `party`: the beginning of their names. */
export function addressTerms(party: string, [...numbers]: Numbers): Term[] {
  const title = (index: number, name: string): `${TermId} ${string}` =>
    `BT-${numbers[index] ?? 0} ${party} ${name}`;
  return [
    term([title(0, 'address line 1'), 'text'], 'LineOne', 'StreetName'),
    term([title(1, 'address line 2'), 'text'], 'LineTwo', 'AdditionalStreetName'),
    term([title(2, 'address line 3'), 'text'], 'LineThree', 'AddressLine/Line'),
    term([title(3, 'city'), 'text'], 'CityName', 'CityName'),
    term([title(4, 'post code'), 'text'], 'PostcodeCode', 'PostalZone'),
    term([title(5, 'country subdivision'), 'text'], 'CountrySubDivisionName', 'CountrySubentity'),
    term([title(6, 'country code'), 'code'], 'CountryID', 'Country/IdentificationCode', {
      ...REQUIRED,
      codes: 'countries',
    }),
  ];
}
