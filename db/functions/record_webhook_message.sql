-- Writes a message to a merchant's endpoints that ask for its type, in the transaction that causes it (lib/webhooks). Without such
-- an endpoint it writes nothing. `about` is the object whose messages keep their order; a key's reference is added before the
-- message is sent first.
CREATE OR REPLACE FUNCTION record_webhook_message(merchant text, kind text, about text, content jsonb, key text DEFAULT NULL) RETURNS void
LANGUAGE sql AS $$
  WITH endpoints AS (
    SELECT e.id FROM webhook_endpoints e
    WHERE e.merchant_id = merchant AND e.removed_at IS NULL AND e.state = 'enabled' AND kind = ANY (e.events)
  ), message AS (
    INSERT INTO webhook_messages (id, merchant_id, type, object, data, key_id)
    SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), merchant, kind, about, content, key
    WHERE EXISTS (SELECT FROM endpoints) RETURNING id
  )
  INSERT INTO webhook_deliveries (endpoint_id, message_id, object)
  SELECT e.id, m.id, about FROM endpoints e, message m ORDER BY e.id
$$;
