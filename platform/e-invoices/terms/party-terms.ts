import { AGREEMENT, DATE, DELIVERY, SETTLEMENT } from './cii-paths.ts';
import { addressTerms } from './address-terms.ts';
import { group, LIST, REQUIRED, term, type TermScheme } from './term.ts';

const ATTRIBUTE = { cii: '@schemeID', ubl: '@schemeID' };
const OPTIONAL_SCHEME: TermScheme = { ...ATTRIBUTE, codes: 'identifier-schemes', isRequired: false };
const ADDRESS_SCHEME: TermScheme = { ...ATTRIBUTE, codes: 'address-schemes', isRequired: true };

/** In CII, an identifier with a scheme is in another element. */
const identifier = (parent: string, repeat = '') => ({
  scheme: OPTIONAL_SCHEME,
  otherCii: {
    path: `${parent}GlobalID${repeat}`,
    isFor: ({ scheme }: { readonly scheme?: string }) => scheme !== undefined,
  },
});

const ADDRESS = { cii: 'PostalTradeAddress', ubl: 'PostalAddress' };
const CONTACT = { cii: 'DefinedTradeContact', ubl: 'Contact' };
/** Only for reading: a caller may name a department instead of a contact. */
const DEPARTMENT = { otherCii: { path: 'DepartmentName', isFor: () => false } };
const TELEPHONE = ['TelephoneUniversalCommunication/CompleteNumber', 'Telephone'] as const;
const EMAIL = ['EmailURIUniversalCommunication/URIID', 'ElectronicMail'] as const;
const LEGAL_ID = ['SpecifiedLegalOrganization/ID', 'PartyLegalEntity/CompanyID'] as const;
const TRADING_NAME = ['SpecifiedLegalOrganization/TradingBusinessName', 'PartyName/Name'] as const;
const ENDPOINT = ['URIUniversalCommunication/URIID', 'EndpointID'] as const;
const VAT_ID = [
  'SpecifiedTaxRegistration[ID/@schemeID=VA]/ID',
  'PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID',
] as const;

const SELLER = group(
  'BG-4 seller',
  { cii: `${AGREEMENT}/SellerTradeParty`, ubl: 'AccountingSupplierParty/Party' },
  [
    term(['BT-27 seller name', 'text'], 'Name', 'PartyLegalEntity/RegistrationName', REQUIRED),
    term(['BT-28 seller trading name', 'text'], ...TRADING_NAME),
    term(['BT-29 seller identifier', 'identifier'], 'ID*', 'PartyIdentification*/ID', {
      ...LIST,
      ...identifier('', '*'),
    }),
    term(['BT-30 seller legal registration identifier', 'identifier'], ...LEGAL_ID, {
      scheme: OPTIONAL_SCHEME,
    }),
    term(['BT-31 seller VAT identifier', 'identifier'], ...VAT_ID),
    term(
      ['BT-32 seller tax registration identifier', 'identifier'],
      'SpecifiedTaxRegistration[ID/@schemeID=FC]/ID',
      'PartyTaxScheme[TaxScheme/ID=FC]/CompanyID',
    ),
    term(
      ['BT-33 seller additional legal information', 'text'],
      'Description',
      'PartyLegalEntity/CompanyLegalForm',
    ),
    term(['BT-34 seller electronic address', 'identifier'], ...ENDPOINT, { scheme: ADDRESS_SCHEME }),
    group(
      'BG-5 seller postal address',
      ADDRESS,
      addressTerms('seller', [35, 36, 162, 37, 38, 39, 40]),
      REQUIRED,
    ),
    group('BG-6 seller contact', CONTACT, [
      term(['BT-41 seller contact point', 'text'], 'PersonName', 'Name', DEPARTMENT),
      term(['BT-42 seller contact telephone number', 'text'], ...TELEPHONE),
      term(['BT-43 seller contact email address', 'text'], ...EMAIL),
    ]),
  ],
  REQUIRED,
);

const BUYER = group(
  'BG-7 buyer',
  { cii: `${AGREEMENT}/BuyerTradeParty`, ubl: 'AccountingCustomerParty/Party' },
  [
    term(['BT-44 buyer name', 'text'], 'Name', 'PartyLegalEntity/RegistrationName', REQUIRED),
    term(['BT-45 buyer trading name', 'text'], ...TRADING_NAME),
    term(['BT-46 buyer identifier', 'identifier'], 'ID', 'PartyIdentification/ID', identifier('')),
    term(['BT-47 buyer legal registration identifier', 'identifier'], ...LEGAL_ID, {
      scheme: OPTIONAL_SCHEME,
    }),
    term(['BT-48 buyer VAT identifier', 'identifier'], ...VAT_ID),
    term(['BT-49 buyer electronic address', 'identifier'], ...ENDPOINT, { scheme: ADDRESS_SCHEME }),
    group(
      'BG-8 buyer postal address',
      ADDRESS,
      addressTerms('buyer', [50, 51, 163, 52, 53, 54, 55]),
      REQUIRED,
    ),
    group('BG-9 buyer contact', CONTACT, [
      term(['BT-56 buyer contact point', 'text'], 'PersonName', 'Name', DEPARTMENT),
      term(['BT-57 buyer contact telephone number', 'text'], ...TELEPHONE),
      term(['BT-58 buyer contact email address', 'text'], ...EMAIL),
    ]),
  ],
  REQUIRED,
);

const PAYEE = group('BG-10 payee', { cii: `${SETTLEMENT}/PayeeTradeParty`, ubl: 'PayeeParty' }, [
  term(['BT-59 payee name', 'text'], 'Name', 'PartyName/Name', REQUIRED),
  term(['BT-60 payee identifier', 'identifier'], 'ID', 'PartyIdentification/ID', identifier('')),
  term(['BT-61 payee legal registration identifier', 'identifier'], ...LEGAL_ID, { scheme: OPTIONAL_SCHEME }),
]);

const TAX_REPRESENTATIVE = group(
  'BG-11 seller tax representative party',
  { cii: `${AGREEMENT}/SellerTaxRepresentativeTradeParty`, ubl: 'TaxRepresentativeParty' },
  [
    term(['BT-62 seller tax representative name', 'text'], 'Name', 'PartyName/Name', REQUIRED),
    term(['BT-63 seller tax representative VAT identifier', 'identifier'], ...VAT_ID, REQUIRED),
    group(
      'BG-12 seller tax representative postal address',
      ADDRESS,
      addressTerms('tax representative', [64, 65, 164, 66, 67, 68, 69]),
      REQUIRED,
    ),
  ],
);

const DELIVERY_INFORMATION = group('BG-13 delivery information', { cii: DELIVERY, ubl: '' }, [
  term(
    ['BT-70 deliver to party name', 'text'],
    'ShipToTradeParty/Name',
    'Delivery/DeliveryParty/PartyName/Name',
  ),
  term(
    ['BT-71 deliver to location identifier', 'identifier'],
    'ShipToTradeParty/ID',
    'Delivery/DeliveryLocation/ID',
    identifier('ShipToTradeParty/'),
  ),
  term(
    ['BT-72 actual delivery date', 'date'],
    `ActualDeliverySupplyChainEvent/OccurrenceDateTime/${DATE}`,
    'Delivery/ActualDeliveryDate',
  ),
  group(
    'BG-14 invoicing period',
    { cii: '../ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod', ubl: 'InvoicePeriod' },
    [
      term(['BT-73 invoicing period start date', 'date'], `StartDateTime/${DATE}`, 'StartDate'),
      term(['BT-74 invoicing period end date', 'date'], `EndDateTime/${DATE}`, 'EndDate'),
    ],
  ),
  group(
    'BG-15 deliver to address',
    { cii: 'ShipToTradeParty/PostalTradeAddress', ubl: 'Delivery/DeliveryLocation/Address' },
    addressTerms('deliver to', [75, 76, 165, 77, 78, 79, 80]),
  ),
]);

/** All parties that an invoice names, and the delivery. */
export const PARTY_GROUPS = [SELLER, BUYER, PAYEE, TAX_REPRESENTATIVE, DELIVERY_INFORMATION];
