import { notFound } from "next/navigation";
import { MailboxScreen } from "@/components/notifications/mailbox-screen";
import { findMailboxPage } from "@/lib/notifications/queries";

type Props = { searchParams: Promise<{ to?: string | string[] }> };

export default async function MailboxPage({ searchParams }: Props) {
  const { to } = await searchParams;
  const page = await findMailboxPage([to].flat()[0]?.trim());
  if (!page) notFound();
  return <MailboxScreen page={page} />;
}
