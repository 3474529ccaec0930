/** Paths of the header of a Cross Industry Invoice. */
export const DOCUMENT = 'rsm:ExchangedDocument';
export const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
export const AGREEMENT = `${TRANSACTION}/ApplicableHeaderTradeAgreement`;
export const DELIVERY = `${TRANSACTION}/ApplicableHeaderTradeDelivery`;
export const SETTLEMENT = `${TRANSACTION}/ApplicableHeaderTradeSettlement`;

/** A date in CII; 102 is `20261128`. */
export const DATE = 'udt:DateTimeString[@format=102]';
