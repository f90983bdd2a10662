package tabwall

import (
	"encoding/json"
	"slices"
	"strings"
)

// The clipboard is the person's, in every context: Chromium has one. A key that would paste, copy or
// cut arrives in the page without that effect.

// editing are the commands of an editor that a key may have. Not listed: those that paste, copy, cut
// or yank, or go by another name.
var editing = strings.Fields(strings.ToLower(`backwardDelete cancelOperation complete deleteBackward
	deleteBackwardByDecomposingPreviousCharacter deleteForward deleteToBeginningOfLine
	deleteToBeginningOfParagraph deleteToEndOfLine deleteToEndOfParagraph deleteWordBackward
	deleteWordForward insertBacktab insertLineBreak insertNewline insertNewlineIgnoringFieldEditor
	insertParagraphSeparator insertTab moveBackward moveDown moveDownAndModifySelection moveForward
	moveLeft moveLeftAndModifySelection moveParagraphBackwardAndModifySelection
	moveParagraphForwardAndModifySelection moveRight moveRightAndModifySelection
	moveToBeginningOfDocument moveToBeginningOfDocumentAndModifySelection
	moveToBeginningOfLineAndModifySelection moveToBeginningOfParagraph
	moveToBeginningOfParagraphAndModifySelection moveToEndOfDocument
	moveToEndOfDocumentAndModifySelection moveToEndOfLineAndModifySelection moveToEndOfParagraph
	moveToEndOfParagraphAndModifySelection moveToLeftEndOfLine moveToLeftEndOfLineAndModifySelection
	moveToRightEndOfLine moveToRightEndOfLineAndModifySelection moveUp moveUpAndModifySelection
	moveWordBackward moveWordBackwardAndModifySelection moveWordForward
	moveWordForwardAndModifySelection moveWordLeft moveWordLeftAndModifySelection moveWordRight
	moveWordRightAndModifySelection pageDown pageDownAndModifySelection pageUp
	pageUpAndModifySelection redo scrollLineDown scrollLineUp scrollPageBackward scrollPageForward
	scrollToBeginningOfDocument scrollToEndOfDocument selectAll transpose undo`))

// Modifiers, and codes of the keys of which Chromium makes commands for the clipboard.
const (
	control, meta, shift        = 2, 4, 8
	codeInsert, codeDelete      = 45, 46
	codeC, codeV, codeX, noCode = 67, 86, 88, 0
	middleButton, ofMiddle      = "middle", 4
)

// key is the rule of keys. A key with a code of the system's is the browser's where the page does
// not take it: it would open tabs in the person's window, and close the one in front.
func key(p *struct {
	Type       json.RawMessage `json:"type,omitempty"`
	Modifiers  int64           `json:"modifiers,omitempty"`
	Timestamp  json.RawMessage `json:"timestamp,omitempty"`
	Text       json.RawMessage `json:"text,omitempty"`
	Unmodified json.RawMessage `json:"unmodifiedText,omitempty"`
	Identifier json.RawMessage `json:"keyIdentifier,omitempty"`
	Code       string          `json:"code,omitempty"`
	Key        string          `json:"key,omitempty"`
	Windows    int64           `json:"windowsVirtualKeyCode,omitempty"`
	Repeats    json.RawMessage `json:"autoRepeat,omitempty"`
	Keypad     json.RawMessage `json:"isKeypad,omitempty"`
	System     json.RawMessage `json:"isSystemKey,omitempty"`
	Location   json.RawMessage `json:"location,omitempty"`
	Commands   []string        `json:"commands,omitempty"`
}) error {
	p.Commands = slices.DeleteFunc(p.Commands, func(name string) bool {
		return !slices.Contains(editing, strings.ToLower(strings.TrimSuffix(name, ":")))
	})
	if usesClipboard(p.Windows, p.Modifiers) {
		p.Windows = noCode
	}
	for _, name := range []*string{&p.Key, &p.Code} {
		if slices.Contains([]string{"Copy", "Cut", "Paste"}, *name) {
			*name = ""
		}
	}
	return nil
}

// usesClipboard reports whether Chromium makes a command for the clipboard of a key.
func usesClipboard(code, modifiers int64) bool {
	switch code {
	case codeC, codeV, codeX:
		return modifiers&(control|meta) != 0
	case codeInsert, codeDelete:
		return modifiers&(control|meta|shift) != 0 && (code == codeInsert || modifiers&shift != 0)
	}
	return false
}

// mouse is the rule of the mouse. Where there is a primary selection the middle button pastes what
// the person has selected.
func mouse(p *struct {
	Type       json.RawMessage `json:"type,omitempty"`
	X          json.RawMessage `json:"x,omitempty"`
	Y          json.RawMessage `json:"y,omitempty"`
	Modifiers  int64           `json:"modifiers,omitempty"`
	Timestamp  json.RawMessage `json:"timestamp,omitempty"`
	Button     string          `json:"button,omitempty"`
	Buttons    int64           `json:"buttons,omitempty"`
	Count      json.RawMessage `json:"clickCount,omitempty"`
	Force      json.RawMessage `json:"force,omitempty"`
	Tangential json.RawMessage `json:"tangentialPressure,omitempty"`
	TiltX      json.RawMessage `json:"tiltX,omitempty"`
	TiltY      json.RawMessage `json:"tiltY,omitempty"`
	Twist      json.RawMessage `json:"twist,omitempty"`
	DeltaX     json.RawMessage `json:"deltaX,omitempty"`
	DeltaY     json.RawMessage `json:"deltaY,omitempty"`
	Pointer    json.RawMessage `json:"pointerType,omitempty"`
}) error {
	if p.Button == middleButton || p.Buttons&ofMiddle != 0 {
		return refused("refused: the middle button would paste what the person has selected")
	}
	if string(p.Type) == `"mouseWheel"` { // with such a key held it can zoom all tabs of the site
		p.Modifiers &^= control | meta
	}
	return nil
}
