import { SETTLEMENT } from './cii-paths.ts';
import { group, LIST, REQUIRED, term } from './term.ts';

/** Country, check digits, and up to 30 letters and digits. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/;

const CREDIT_TRANSFER = group(
  'BG-17 credit transfer',
  { cii: '', ubl: 'PayeeFinancialAccount' },
  [
    term(
      ['BT-84 payment account identifier', 'identifier'],
      'PayeePartyCreditorFinancialAccount/IBANID',
      'ID',
      {
        ...REQUIRED,
        otherCii: {
          path: 'PayeePartyCreditorFinancialAccount/ProprietaryID',
          isFor: ({ value }) => !IBAN.test(value.replaceAll(' ', '')),
        },
      },
    ),
    term(['BT-85 payment account name', 'text'], 'PayeePartyCreditorFinancialAccount/AccountName', 'Name'),
    term(
      ['BT-86 payment service provider identifier', 'identifier'],
      'PayeeSpecifiedCreditorFinancialInstitution/BICID',
      'FinancialInstitutionBranch/ID',
    ),
  ],
  LIST,
);

const CARD = group(
  'BG-18 payment card information',
  // UBL requires the card network, which EN 16931 does not have.
  { cii: 'ApplicableTradeSettlementFinancialCard', ubl: 'CardAccount{NetworkID=NA}' },
  [
    term(['BT-87 payment card primary account number', 'text'], 'ID', 'PrimaryAccountNumberID', REQUIRED),
    term(['BT-88 payment card holder name', 'text'], 'CardholderName', 'HolderName'),
  ],
);

const DIRECT_DEBIT = group('BG-19 direct debit', { cii: '', ubl: '' }, [
  term(
    ['BT-89 mandate reference identifier', 'identifier'],
    '../SpecifiedTradePaymentTerms/DirectDebitMandateID',
    'PaymentMandate/ID',
  ),
  term(
    ['BT-90 bank assigned creditor identifier', 'identifier'],
    '../CreditorReferenceID',
    '../AccountingSupplierParty/Party/PartyIdentification[ID/@schemeID=SEPA]/ID',
  ),
  term(
    ['BT-91 debited account identifier', 'identifier'],
    'PayerPartyDebtorFinancialAccount/IBANID',
    'PaymentMandate/PayerFinancialAccount/ID',
  ),
]);

/** `one-account-each.ts` writes one element for each account. */
export const PAYMENT_GROUP = group(
  'BG-16 payment instructions',
  { cii: `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans*`, ubl: 'PaymentMeans*' },
  [
    term(['BT-81 payment means type code', 'code'], 'TypeCode', 'PaymentMeansCode', {
      ...REQUIRED,
      codes: 'payment-means',
    }),
    term(['BT-82 payment means text', 'text'], 'Information', 'PaymentMeansCode/@name'),
    term(['BT-83 remittance information', 'text'], '../PaymentReference', 'PaymentID'),
    CREDIT_TRANSFER,
    CARD,
    DIRECT_DEBIT,
  ],
);
