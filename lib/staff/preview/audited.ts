type CampaignValues = {
  enabled?: boolean;
  free?: boolean;
  monthlyBudgetCents?: number | null;
  dailyBudgetCents?: number | null;
  minimumCents?: number;
};
export type CampaignTerms = CampaignValues & {
  amountCents: number | null;
  percent: number | null;
  maxDiscountCents: number | null;
  firstOrderOnly?: boolean;
  endsAt: string | null;
};
/** An entry of the audit log that the dry run wrote, with what its effects need of it. */
export type Audited = {
  action: string;
  subject: string;
  before: CampaignValues | string[] | string | null;
  after: CampaignValues | string[] | string | null;
  /** of a new campaign */
  terms: CampaignTerms | null;
  /** of a merchant */
  products: number | null;
  /** of a queue whose failed jobs run again */
  jobs: number | null;
  /** of a product that was written: its name, and how many fields differ */
  fields: number | null;
  product: string | null;
  /** "true", "false": it is listed from then on, or no longer */
  listed: string | null;
  /** the number of an order that is cancelled unless its payment succeeds */
  open_cancellation: string | null;
  /** of a staff member: in how many sessions staff mode ended, and the address */
  left_staff_mode: number | null;
  person: string | null;
};
