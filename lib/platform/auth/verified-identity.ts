/** An identity verified by a provider: its unchanging id and a verified address. */
export type VerifiedIdentity = {
  provider: "google" | "github";
  subject: string;
  /** lower case */
  email: string;
  name?: string;
};
