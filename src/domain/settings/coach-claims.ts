import type { DocumentKind, VerificationPolicy } from './verification-policy.ts';

/** A card on the landing page. */
export type Claim = { title: string; text: string };

/** What was checked for each kind, as the object of "We check". */
const checkedThings: Record<DocumentKind, string> = {
  criminal_record_check: 'criminal record',
  safeguarding: 'safeguarding training',
  insurance: 'insurance',
  first_aid: 'first aid training',
  licence: "governing body's licence",
};

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/**
 * What the landing page may say about the coaches under a policy: only what holds for every coach who can be found or
 * booked (Digital Markets, Competition and Consumers Act 2024, section 226: misleading actions). Kinds whose absence
 * costs only the badge are left out.
 */
export function describeCoaches(policy: VerificationPolicy): { coaches: Claim; trust: Claim } {
  const isSure = (kind: DocumentKind) => policy[kind].askedOf === 'all' && policy[kind].effect === 'hidden';
  const checked = (Object.keys(checkedThings) as DocumentKind[]).filter(isSure);
  return {
    coaches:
      checked.length > 0
        ? {
            title: 'Expert verified coaches',
            text: `We check every coach's ${list.format(checked.map((kind): string => checkedThings[kind]))} before anyone can book them.`,
          }
        : {
            title: 'Coaches for every level',
            text: "From first steps to competition: read the coaches' profiles and choose one who suits you.",
          },
    trust: { title: 'Trusted platform', text: describeTrust(policy, isSure) },
  };
}

/**
 * A coach who lacks a required check can't be booked for under-18s, whatever effect the policy gives the check.
 */
function describeTrust(policy: VerificationPolicy, isSure: (kind: DocumentKind) => boolean): string {
  const isInsured = isSure('insurance');
  if (isSure('criminal_record_check')) {
    return `Coaches are background-checked ${isInsured ? 'and insured ' : ''}before they teach here.`;
  }
  const checksForMinors = policy.criminal_record_check.askedOf !== 'nobody';
  if (isInsured && checksForMinors) {
    return 'Coaches are insured before they teach here, and background-checked before they teach under-18s.';
  }
  if (isInsured) return 'Coaches are insured before they teach here.';
  if (checksForMinors) return 'Coaches are background-checked before they teach under-18s here.';
  return 'Every booking has a receipt and keeps the cancellation terms that you agreed to.';
}
