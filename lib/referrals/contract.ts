/** An invitation as its page shows it: `inviter` is a first letter and a mask; null for a code that nobody has. */
export type Invitation = { code: string; inviter: string | null; members: number };
