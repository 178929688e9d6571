/** Messages to a model: one text, or a conversation whose messages may have parts. */

import type { Message, ModelProvider } from "../../../../../src/workflows/model-provider.ts";
import { Button } from "../../elements/controls/button.tsx";
import { FieldNote, type FieldProblem } from "../../elements/fields/field-note.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { Choice, ChoiceField } from "../controls/plain-fields.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { moved, removed, replaced } from "../step-change.ts";
import { PartFields } from "./part-fields.tsx";

type Messages = ModelProvider["messages"];

interface MessageFieldsProps {
  readonly messages: Messages;
  readonly onChange: (messages: Messages) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

export function MessageFields({ messages, onChange, problemAt }: MessageFieldsProps) {
  const { steps: texts } = useTexts();
  const isText = typeof messages === "string";
  return (
    <div className="rows">
      <ChoiceField
        label={texts.messages}
        value={isText ? "text" : "conversation"}
        options={[
          { value: "text", label: texts.oneText },
          { value: "conversation", label: texts.conversation },
        ]}
        onChange={(value) => {
          if (value === "conversation" && isText) onChange([{ role: "user", content: messages }]);
          if (value === "text" && !isText) onChange(joined(messages));
        }}
      />
      {isText ? (
        <LabelledField label={texts.messageText} hint={texts.messageTextHint} error={problemAt("/provider/messages")}>
          {({ description }) => (
            <ExpressionEditor
              label={texts.messageText}
              description={description}
              syntax="template"
              isSingleLine={false}
              hasAuto={true}
              error={problemAt("/provider/messages")}
              value={messages}
              placeholder={texts.messagePlaceholder}
              onChange={onChange}
            />
          )}
        </LabelledField>
      ) : (
        <Conversation messages={messages} onChange={onChange} problemAt={problemAt} />
      )}
    </div>
  );
}

/** What a conversation has of text. Going back to the conversation does not bring its other parts back, but undo does. */
function joined(messages: readonly Message[]): string {
  return messages
    .map(({ content }) =>
      typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
    )
    .filter((text) => text !== "")
    .join("\n\n");
}

const ROLES = ["system", "user", "assistant", "tool"] as const;

function Conversation({
  messages,
  onChange,
  problemAt,
}: MessageFieldsProps & { readonly messages: readonly Message[] }) {
  const { steps: texts } = useTexts();
  const add = () => onChange([...messages, { role: messages.length === 0 ? "system" : "user", content: "" }]);
  return (
    <>
      {messages.map((message, index) => {
        const name = texts.messageNumber(index + 1);
        const change = (next: Message) => onChange(replaced(messages, index, next));
        const move = (by: -1 | 1) => onChange(moved(messages, index, by));
        return (
          <Row key={index} name={name} onMove={move}>
            <div className="row-head">
              <Choice
                label={texts.roleOf(index + 1)}
                value={message.role}
                options={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
                onChange={(value) => change({ ...message, role: ROLES.find((one) => one === value) ?? message.role })}
              />
              <RowTools
                name={name}
                isFirst={index === 0}
                isLast={index === messages.length - 1}
                onMove={move}
                onRemove={() => onChange(removed(messages, index))}
              />
            </div>
            <Content
              name={name}
              message={message}
              onChange={change}
              at={`/provider/messages/${index}/content`}
              problemAt={problemAt}
            />
          </Row>
        );
      })}
      <AddRow onAdd={add}>{texts.addMessage}</AddRow>
    </>
  );
}

interface ContentProps {
  readonly name: string;
  readonly message: Message;
  readonly onChange: (message: Message) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

function Content({ name, message, onChange, at, problemAt }: ContentProps) {
  const { steps: texts } = useTexts();
  const { content } = message;
  if (typeof content !== "string")
    return (
      <PartFields
        name={name}
        parts={content}
        onChange={(next) => onChange({ ...message, content: next })}
        at={at}
        problemAt={problemAt}
      />
    );
  return (
    <>
      <ExpressionEditor
        label={`${name}: ${texts.messageText}`}
        syntax="template"
        isSingleLine={false}
        hasAuto={true}
        error={problemAt(at)}
        value={content}
        onChange={(next) => onChange({ ...message, content: next })}
      />
      <FieldNote problem={problemAt(at)} />
      <div className="field-actions">
        <Button
          kind="quiet"
          icon="plus"
          onClick={() =>
            onChange({
              ...message,
              content: [
                { type: "text", text: content },
                { type: "image", url: "" },
              ],
            })
          }
        >
          {texts.addParts}
        </Button>
      </div>
    </>
  );
}
