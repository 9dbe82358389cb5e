import { notFound } from "next/navigation";
import { ConversationScreen } from "@/components/support/conversation-screen";
import { MessagesScreen, NewMessageScreen } from "@/components/support/messages-screen";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { findConversation } from "@/lib/support/find-conversation";
import { listConversations } from "@/lib/support/list-conversations";

export const generateMetadata = pageTitle("support.messages.title", "ui.descriptions.messages");

export default async function MessagesPage(props: PageProps) {
  const { viewer } = await requirePageUser(props, "/messages");
  const query = (name: string) => queryValue(props.searchParams, name);
  const id = await query("id");
  if (id) {
    const conversation = await findConversation(viewer, id);
    return conversation ? <ConversationScreen conversation={conversation} /> : notFound();
  }
  const orderNumber = await query("order");
  if (orderNumber || (await query("new")))
    return <NewMessageScreen email={viewer.email} orderNumber={orderNumber?.slice(0, 64)} />;
  return <MessagesScreen {...(await listConversations(viewer))} />;
}
