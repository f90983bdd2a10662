// Package provider declares tools and calls them, whatever the dialect that a call came in.
//
// It knows what a request is, its parameters, results and errors, what is hidden from
// clients, and nothing of Playwright, so all of it can be tested without a browser.
// Package wire reads requests from a stream and writes replies to it; package service
// serves the same tools over HTTP.
package provider
