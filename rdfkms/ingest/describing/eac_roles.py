"""What the words for relations in EAC-CPF mean: types of the standard, roles of systems.

A role is said from the agent that is described towards the other ("isMemberOf"); the nouns are
what the other is ("member"). The names of RiC-O for the same relations are among them.
"""

from __future__ import annotations

import re

ASSOCIATED = "description/associated"
SAME = "description/sameAs"

# EAC-CPF 1: @cpfRelationType. "hierarchical-parent" says that the other is the parent.
_TYPES = {
    "hierarchicalparent": "description/superior",
    "hierarchicalchild": "description/inferior",
    "temporalearlier": "description/predecessor",
    "temporallater": "description/successor",
    "family": "description/kin",
    "identity": SAME,
}
_ROLES = {
    "description/superior": """
        isSubdivisionOf isOrWasSubdivisionOf isPartOf isInferiorOf isSubordinateTo wasSubordinateTo
        isOrWasSubordinateTo superior parentBody hasParentBody
        """,
    "description/inferior": """
        hasSubdivision hasOrHadSubdivision isSuperiorOf hadSubordinate hasSubordinate
        hasOrHadSubordinate subordinate subdivision
        """,
    "description/controlledBy": """
        isControlledBy hasController hasOrHadController isOrWasControlledBy controller
        """,
    "description/controls": "controls isControllerOf isOrWasControllerOf",
    "description/ledBy": """
        isLeadBy isLedBy isOrWasLedBy hasLeader hasOrHadLeader isDirectedBy leader
        """,
    "description/leads": "isLeaderOf isOrWasLeaderOf leads directs",
    "description/memberOf": """
        personIsMemberOf isMemberOf isOrWasMemberOf memberOf groupIsMemberOf
        """,
    "description/hasMember": """
        hasAsPersonMember hasAsMember hasMember hasOrHadMember hasAsGroupMember member
        """,
    "description/workRelation": """
        hasProfessionalRelationWith hasWorkRelationWith hasOrHadWorkRelationWith worksWith
        workedWith employs employedBy isEmployedBy hasEmployee hasEmployer isEmployerOf
        isEmployeeOf hasOrHadEmployer employer employee collaborator isCollaboratorOf
        """,
    "description/kin": """
        hasFamilyRelationWith hasFamilyAssociationWith isParentOf isChildOf isSiblingOf isSpouseOf
        hasParent hasChild hasSibling hasSpouse hasOrHadSpouse isDescendantOf isAncestorOf
        parent child sibling spouse
        """,
    "description/predecessor": """
        isPrecededBy isSuccessorOf succeeds follows hasPredecessor predecessor
        """,
    "description/successor": """
        precedes isPredecessorOf isFollowedBy isSucceededBy hasSuccessor successor
        """,
    SAME: "sameAs isSameAs",
}


def folded(word: str) -> str:
    """Return a type or role as it is compared: the last piece of an IRI, its letters alone."""
    return re.sub(r"[^a-z]", "", re.split(r"[/#:]", word.strip().rstrip("/#"))[-1].casefold())


_RESOURCE = {
    "creatorof": "description/provenanceOf",
    "iscreatorof": "description/provenanceOf",
    "accumulatorof": "description/provenanceOf",
    "isorganicprovenanceof": "description/provenanceOf",
    "subjectof": "description/subjectOf",
    "issubjectof": "description/subjectOf",
    "isorwassubjectof": "description/subjectOf",
}
# What says no more than that there is a relation.
_PLAIN = frozenset(
    {
        "associative", "associatedwith", "isassociatedwith", "hierarchical", "temporal",
        "agent", "resource", "function", "performs", "other",
    }
)  # fmt: skip

# Members and leaders are persons, and what they belong to is none (RiC-O); the statement, the types
# of its subject and of its object.
_GROUPS = ("OrganizationState", "Family")
_PERSONAL = {
    "description/memberOf": (("Person",), _GROUPS),
    "description/leads": (("Person",), _GROUPS),
    "description/hasMember": (_GROUPS, ("Person",)),
    "description/ledBy": (_GROUPS, ("Person",)),
}

_BY_ROLE = {folded(word): name for name, row in _ROLES.items() for word in row.split()}


def between_agents(types: list[str], roles: list[str]) -> str:
    """Return the statement for a relation to an agent: a role that is known says it best."""
    for role in (*roles, *types):
        if folded(role) in _BY_ROLE:
            return _BY_ROLE[folded(role)]
    for told in types:
        if folded(told) in _TYPES:
            return _TYPES[folded(told)]
    return ASSOCIATED


def fitting(statement: str, subject: str, other: str, types: list[str]) -> tuple[str, str]:
    """Return the statement and the type of the other, which may follow from the statement.

    `other` is the type that the file tells, or "". Membership among groups, for which there is no
    such statement, is an association.
    """
    if statement not in _PERSONAL:
        return statement, other or "Agent"
    subjects, others = _PERSONAL[statement]
    if subject not in subjects or (other and other not in others):
        return ASSOCIATED, other or "Agent"
    family = "Family" in others and "family" in map(folded, types)
    return statement, other or ("Family" if family else others[0])


def with_resource(types: list[str], roles: list[str]) -> str:
    """Return the statement for a relation to a resource."""
    for told in (*types, *roles):
        if folded(told) in _RESOURCE:
            return _RESOURCE[folded(told)]
    return "description/resource"


def performs(types: list[str]) -> bool:
    """Return whether a relation to a function says that the agent performs it, or no more."""
    return all(folded(told) in ("performs", "associative") for told in types)


def expresses(statement: str, word: str) -> bool:
    """Return whether a statement says what a type or role says; one that is plain, any does."""
    told = folded(word)
    means = (_TYPES.get(told), _BY_ROLE.get(told), _RESOURCE.get(told))
    return told in _PLAIN or statement in means
