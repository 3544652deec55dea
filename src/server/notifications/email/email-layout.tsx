import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Column } from '@react-email/column';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Html } from '@react-email/html';
import { Img } from '@react-email/img';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Row } from '@react-email/row';
import { Text } from '@react-email/text';
import { Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Message, MessageAction, MessagePart } from '#domain/message.ts';
import { fontFamily, paint, smallText, styleSheet, text } from './email-styles.ts';
import { inQuotes, type Letterhead, noReplyHint, replyHint, unsubscribeHint } from './email-text.ts';

/**
 * The HTML part of an email: one column with the same content as the text part (email-text.ts). Loads nothing but
 * coaches' pictures, whose URLs are the same for every recipient and so reveal nothing about who opens the email.
 */
export function renderEmailHtml(message: Message, letterhead: Letterhead): string {
  return `<!doctype html>${renderToStaticMarkup(<EmailLayout message={message} letterhead={letterhead} />)}`;
}

function EmailLayout({ message, letterhead }: { message: Message; letterhead: Letterhead }) {
  const { subject, summary, body, action, closing = [] } = message;
  const { brand, publicUrl } = letterhead;
  return (
    <Html lang="en-GB">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{subject}</title>
        <style>{styleSheet}</style>
      </Head>
      <Body className="page" style={{ margin: 0, padding: 0 }}>
        <Preview>{summary ?? body.find((part) => typeof part === 'string') ?? subject}</Preview>
        {/* Outlook for Windows supports padding only in table cells, so every box is a row. */}
        <Row {...paint('page', { fontFamily })}>
          <Column style={{ padding: '24px 16px 32px' }}>
            <Container style={{ maxWidth: '560px' }}>
              <Header brand={brand} />
              <Row {...paint('card', { ...border('1px'), borderRadius: '10px' })}>
                <Column style={{ padding: '24px 20px 8px' }}>
                  {[...body, ...(action ? [action] : []), ...closing].map((part, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
                    <Part key={index} part={part} publicUrl={publicUrl} />
                  ))}
                </Column>
              </Row>
              <Footer {...letterhead} />
            </Container>
          </Column>
        </Row>
      </Body>
    </Html>
  );
}

const border = (borderWidth: string) => ({ borderStyle: 'solid', borderWidth });

/**
 * The product's name next to its logo, the corner of a pitch. Borders form the logo, because email programs may block
 * images.
 */
function Header({ brand }: { brand: string }) {
  const corner = { ...border('2px 0 0 2px'), width: '16px', height: '16px' };
  const quarter = { ...border('0 2px 2px 0'), width: '8px', height: '8px', borderRadius: '0 0 8px 0' };
  return (
    <Row style={{ marginBottom: '16px' }}>
      <Column style={{ width: '30px' }}>
        <div {...paint('mark', corner)}>
          <div {...paint('mark', quarter)} />
        </div>
      </Column>
      <Column>
        <Text style={{ ...text, margin: 0, fontSize: '18px', fontWeight: 600 }}>{brand}</Text>
      </Column>
    </Row>
  );
}

function Part({ part, publicUrl }: { part: MessagePart | MessageAction; publicUrl: string }): ReactNode {
  if (typeof part === 'string') {
    return (
      <Text style={text}>
        <Lines>{part}</Lines>
      </Text>
    );
  }
  if ('quote' in part) {
    return (
      <Text {...paint('quote', { ...text, ...border('0 0 0 3px'), paddingLeft: '12px' })}>
        <Lines>{inQuotes(part.quote)}</Lines>
      </Text>
    );
  }
  if ('lesson' in part) return <Lesson {...part} publicUrl={publicUrl} />;
  return 'facts' in part ? <Facts {...part} /> : <Action label={part.label} url={publicUrl + part.path} />;
}

type LessonPart = Extract<MessagePart, { lesson: string }>;

function Lesson({ lesson, lines, picture, publicUrl }: LessonPart & { publicUrl: string }) {
  const face = { borderRadius: '24px', fontSize: '12px', lineHeight: '16px' };
  return (
    <Row {...paint('lesson', { borderRadius: '8px', marginBottom: '16px' })}>
      {picture && (
        <Column style={{ width: '48px', padding: '16px 0 16px 16px', verticalAlign: 'top' }}>
          {/* Lazy, because React would otherwise add a link that preloads the picture. */}
          <Img
            src={publicUrl + picture.path}
            {...{ alt: picture.alt, width: '48', height: '48', loading: 'lazy' }}
            {...paint('quiet', face)}
          />
        </Column>
      )}
      <Column style={{ padding: '16px', verticalAlign: 'top' }}>
        <Text style={{ ...text, margin: 0 }}>
          <strong>{lesson}</strong>
          <Lines>{['', ...lines].join('\n')}</Lines>
        </Text>
      </Column>
    </Row>
  );
}

function Facts({ facts }: Extract<MessagePart, { facts: unknown }>) {
  const cell = { ...text, ...border('1px 0 0'), margin: 0, padding: '9px 0', verticalAlign: 'top' };
  return facts.map(([label, value], index) => (
    <Row key={label} style={{ marginBottom: index === facts.length - 1 ? '16px' : 0 }}>
      <Column {...paint('label', { ...cell, width: '36%', paddingRight: '12px' })}>{label}</Column>
      <Column {...paint('value', cell)}>
        <Lines>{value}</Lines>
      </Column>
    </Row>
  ));
}

function Action({ label, url }: { label: string; url: string }) {
  return (
    <>
      <Text style={{ ...text, margin: '24px 0 12px' }}>
        <Button
          href={url}
          {...paint('button', {
            borderRadius: '8px',
            padding: '13px 20px',
            fontSize: '16px',
            fontWeight: 600,
          })}
        >
          {label}
        </Button>
      </Text>
      <Text {...paint('quiet', { ...smallText, margin: '0 0 16px', wordBreak: 'break-all' })}>
        Or open this link: <QuietLink url={url}>{url}</QuietLink>
      </Text>
    </>
  );
}

function Footer({ contactEmail, unsubscribeUrl }: Letterhead) {
  return (
    <>
      <Text {...paint('quiet', { ...smallText, margin: '16px 0 4px' })}>
        {contactEmail ? (
          <>
            {replyHint} <QuietLink url={`mailto:${contactEmail}`}>{contactEmail}</QuietLink>.
          </>
        ) : (
          noReplyHint
        )}
      </Text>
      {unsubscribeUrl && (
        <Text {...paint('quiet', smallText)}>
          <QuietLink url={unsubscribeUrl}>{unsubscribeHint}</QuietLink>
        </Text>
      )}
    </>
  );
}

const QuietLink = ({ url, children }: { url: string; children: string }) => (
  <Link href={url} {...paint('quiet', { textDecoration: 'underline' })}>
    {children}
  </Link>
);

/** Text with its line breaks. */
function Lines({ children }: { children: string }) {
  return children.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
