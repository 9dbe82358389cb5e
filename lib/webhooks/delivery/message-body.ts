import type { SentEvent } from "@/lib/webhooks/rules";

type MessageContent = { type: SentEvent; data: Record<string, unknown>; happenedAt: string };

/** The body of a message, the same at each attempt. */
export const messageBody = ({ type, data, happenedAt }: MessageContent): string =>
  JSON.stringify({ type, timestamp: happenedAt, data });
