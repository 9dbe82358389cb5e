-- A message to support of the release before becomes a conversation.
CREATE OR REPLACE FUNCTION copy_contact_message() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversations (id, user_id, email, order_number, locale, waiting_since, last_at, created_at)
  VALUES (replace(NEW.id, 'msg_', 'cnv_'), NEW.user_id, NEW.email, NEW.order_number, NEW.locale, NEW.created_at, NEW.created_at, NEW.created_at)
  ON CONFLICT (id) DO NOTHING;
  INSERT INTO conversation_messages (id, conversation_id, author, text, created_at)
  VALUES (NEW.id, replace(NEW.id, 'msg_', 'cnv_'), 'customer', NEW.message, NEW.created_at)
  ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER copy_contact_message AFTER INSERT ON contact_messages
FOR EACH ROW EXECUTE FUNCTION copy_contact_message();
