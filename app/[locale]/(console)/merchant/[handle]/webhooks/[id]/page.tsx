import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { EndpointScreen } from "@/components/webhooks/endpoint-screen";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantRecord } from "@/lib/platform/pages/merchant-console";
import { AttemptsInput } from "@/lib/webhooks/contract";
import { listAttempts } from "@/lib/webhooks/endpoints/list-attempts";
import { getEndpoint } from "@/lib/webhooks/endpoints/list-endpoints";
import { sandboxReceiverUrl } from "@/lib/webhooks/sandbox-receiver";

const RECORD = merchantRecord(merchant("webhooks.read"), {
  title: "console.merchant_webhooks.title",
  read: (id, { viewer }) => getEndpoint(viewer, id),
  unknown: "webhook_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function MerchantWebhookPage(props: MerchantProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { viewer, home, found: endpoint } = page;
  const path = `${home}/webhooks/${endpoint.endpoint_id}`;
  const { values, list } = await readConsoleList(props, page, path, AttemptsInput, (input) =>
    listAttempts(viewer, endpoint.endpoint_id, input),
  );
  return (
    <EndpointScreen
      endpoint={endpoint}
      list={list}
      values={values}
      home={home}
      sandboxUrl={sandboxReceiverUrl()}
      canManage={mayChange(viewer, "webhooks.manage")}
      canSend={mayChange(viewer, "webhooks.send")}
    />
  );
}
