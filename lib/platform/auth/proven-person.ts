/** A person as a provider vouches for them: its own, unchanging id of them, and an address that it has verified. */
export type VerifiedIdentity = {
  provider: "google" | "github";
  subject: string;
  /** lower case */
  email: string;
  name?: string;
};
